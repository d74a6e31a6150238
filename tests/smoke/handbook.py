# SPDX-License-Identifier: Apache-2.0
"""The handbook: every link leads to a file and a place that are there, nothing is loaded from elsewhere, and
a browser opens its pages without a complaint, at a desktop's width and at a phone's (an eighth of them each,
all where WHOLE=1 is in the environment). python3 handbook.py SITE links|browser"""

import html.parser
import os
import pathlib
import shutil
import sys
import tempfile
import urllib.parse


class Page(html.parser.HTMLParser):
    """The places of a page, where it leads, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.places, self.links, self.loaded = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.places.add(value)
            elif name in ("href", "src", "data") and value is not None:
                loads = name != "href" or (tag == "link"
                    and dict(attributes).get("rel") not in ("canonical", "next", "prev"))
                (self.loaded if loads else self.links).append(value)


def check_links(site):
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    faults = []
    for path, page in pages.items():
        if path.name == "404.html":  # its links are those of a server's root
            continue
        for link in page.links + page.loaded:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme not in ("data", "javascript"):
                    faults.append(f"{path.relative_to(site)} loads {link}")
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            place = urllib.parse.unquote(parts.fragment)
            if not target.is_file():
                faults.append(f"{path.relative_to(site)}: there is no {link}")
            elif place and target in pages and place not in pages[target].places and not place.startswith(
                "__"):
                faults.append(f"{path.relative_to(site)}: {parts.path or 'the page'} has no place #{place}")
    print(*sorted(set(faults)), sep="\n")
    assert not faults, f"{len(faults)} faults"
    assert len(pages) > 500, f"only {len(pages)} pages"


def check_browser(site):
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    options = webdriver.ChromeOptions()
    for flag in """--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run
            --disable-background-networking --disable-component-update --disable-sync""".split():
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    profile = tempfile.mkdtemp()
    options.add_argument(f"--user-data-dir={profile}")
    driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    try:
        # Of pages that are alike, manual pages and interfaces, some.
        alike = [sorted(site.glob("*/man/*.3.html"))[::8], sorted((site / "interfaces").glob("*.html"))[::40]]
        opened = sum(alike, [path for path in sorted(site.rglob("*.html"))
            if not {"man", "interfaces"} & set(path.parts) and path.name != "404.html"])
        every = 1 if os.environ.get("WHOLE") else 8  # by turns: a page is opened at one width, if at all
        for begin, width, height in ((0, 1280, 900), (every // 2, 390, 844)):
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                   {"width": width, "height": height, "deviceScaleFactor": 1,
                                   "mobile": width < 600})
            for path in opened[begin::every]:
                driver.get(path.as_uri())
                complaints = driver.get_log("browser")
                assert not complaints, f"{path}: {complaints}"
                wide = driver.execute_script(
                    "return document.documentElement.scrollWidth - window.innerWidth")
                assert wide <= 1 or "interfaces" in path.parts, f"{path} is {wide} pixels too wide at {width}"
        # The search finds a function without a network.
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        driver.set_window_size(1280, 900)
        driver.get((site / "index.html").as_uri())
        driver.find_element(By.CSS_SELECTOR, "input.md-search__input").send_keys("RCCE_send")
        WebDriverWait(driver, 20).until(lambda d: any("RCCE_send" in e.text
            for e in d.find_elements(By.CSS_SELECTOR, ".md-search-result__item")))
        assert not driver.get_log("browser")
    finally:
        driver.quit()
        shutil.rmtree(profile, ignore_errors=True)


if __name__ == "__main__":
    {"links": check_links, "browser": check_browser}[sys.argv[2]](pathlib.Path(sys.argv[1]).resolve())
