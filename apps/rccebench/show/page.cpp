#include <fmt/format.h>

#include "rcce_emu/version.hpp"
#include "show/forms.hpp"
#include "show/picture.hpp"

namespace rccebench::show {
namespace {

constexpr const char* style =
    "body{font:15px/1.5 sans-serif;margin:2rem auto;max-width:70rem;padding:0 "
    "1rem;color:#222;background:#fff}"
    "figure{margin:1rem 0}figure[hidden]{display:none}svg{max-width:100%;height:auto}button{font:inherit;"
    "padding:.2rem .8rem}input{width:24rem;max-width:60%}";

/// One round at a time: buttons, a slider, the arrow keys; without a script all rounds stand below each
/// other.
constexpr const char* script = R"(
const figures = [...document.querySelectorAll('figure')];
const slider = document.getElementById('round');
let timer = null;
function show(n) {
  slider.value = Math.max(1, Math.min(figures.length, n));
  figures.forEach((figure, i) => figure.hidden = i + 1 !== Number(slider.value));
}
function play() {
  if (timer) { clearInterval(timer); timer = null; return; }
  timer = setInterval(() => {
    if (Number(slider.value) === figures.length) { clearInterval(timer); timer = null; return; }
    show(Number(slider.value) + 1);
  }, 900);
}
slider.oninput = () => show(Number(slider.value));
document.getElementById('before').onclick = () => show(Number(slider.value) - 1);
document.getElementById('next').onclick = () => show(Number(slider.value) + 1);
document.getElementById('play').onclick = play;
document.onkeydown = event => {
  if (event.target === slider) return;
  if (event.key === 'ArrowLeft') show(Number(slider.value) - 1);
  if (event.key === 'ArrowRight') show(Number(slider.value) + 1);
};
document.getElementById('steps').hidden = figures.length < 2;
if (figures.length) show(1);
)";

/// JSON between <script> tags: no end tag may stand in it.
std::string embedded(const nlohmann::ordered_json& json) {
  std::string all;
  for (const char c : json.dump())
    if (c == '<')
      all += "\\u003c";
    else
      all += c;
  return all;
}

} // namespace

std::string to_html(const Recording& recording) {
  const Picture picture(recording);
  const std::string title = escaped(title_of(recording));
  const int rounds = recording.rounds();
  std::string all = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n"
      "<p>{}. {} round{}, done at {:.3f} us of simulated time. Solid arrows carry data, dashed ones are "
      "signals; "
      "ranks that get something are green, those that only give yellow.</p>\n"
      "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" style=\"position:absolute\">{}</svg>\n"
      "<p id=\"steps\" hidden><button id=\"before\">before</button> <button id=\"next\">next</button> "
      "<button id=\"play\">play</button> <input id=\"round\" type=\"range\" min=\"1\" max=\"{}\" value=\"1\" "
      "aria-label=\"round\"></p>\n",
      title, style, title, escaped(machine_of(recording)), rounds, rounds == 1 ? "" : "s",
      us_of(recording.end), Picture::definitions(), std::max(rounds, 1));
  for (int round = 1; round <= rounds; ++round)
    all += fmt::format(
        "<figure><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
        "width=\"{:.0f}\" height=\"{:.0f}\" role=\"img\" aria-label=\"round {}\">\n{}</svg></figure>\n",
        picture.width(), picture.height(), 1.4 * picture.width(), 1.4 * picture.height(), round,
        picture.panel(round));
  all += fmt::format("<script type=\"application/json\" id=\"rounds\">{}</script>\n<script>{}</script>\n"
                     "<p>rccebench {}</p>\n</body>\n</html>\n",
                     embedded(to_json(recording)), script, rcce::version_text);
  return all;
}

} // namespace rccebench::show
