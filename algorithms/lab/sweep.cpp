// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <numeric>
#include <system_error>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include "mesh_sim/progress.hpp"

namespace lab {
namespace {

int ended_by = 0;

/// One run: the workers compute, everything else happens on the caller's thread in its event loop.
class Running {
 public:
  /// Goes on with fewer threads where the host does not give as many. They are made here because the pool
  /// itself would then wait for the others for ever.
  Running(unsigned threads, std::size_t tasks, double total)
      : pool_(new boost::asio::thread_pool(0)), left_(tasks), progress_(total) {
    try {
      while (threads_.size() < threads) threads_.emplace_back([this] { pool_->attach(); });
    } catch (const std::system_error&) {
      if (threads_.empty()) throw;
    }
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    pool_->stop();
    for (std::thread& thread : threads_) thread.join();
  }

  void start(double weight, const Task& task) {
    boost::asio::post(*pool_, [this, weight, task] {
      std::function<void()> store;
      std::exception_ptr failure;
      try {
        store = task();
      } catch (...) {
        failure = std::current_exception();
      }
      boost::asio::post(loop_,
                        [this, weight, store = std::move(store), failure] { end(weight, store, failure); });
    });
  }

  /// True when every task has ended, false after a signal; then the pool is left as it is.
  bool wait() {
    // nohup has it ignored.
    struct sigaction hang_up {};
    if (sigaction(SIGHUP, nullptr, &hang_up) == 0 && hang_up.sa_handler == SIG_DFL) signals_.add(SIGHUP);
    signals_.async_wait([this](const boost::system::error_code& error, int signal) {
      if (error) return;
      ended_by = 128 + signal;
      pool_->stop();
      loop_.stop();
    });
    tick();
    loop_.run();
    // A signal may have been read with the end of the last task: whoever runs another sweep has to hear of
    // it.
    if (left_ == 0 && ended_by == 0) {
      loop_.restart();
      loop_.poll();
    }
    progress_.clear();
    if (ended_by != 0 && left_ != 0) return false;
    if (failure_) std::rethrow_exception(failure_);
    return true;
  }

 private:
  void tick() {
    progress_.show();
    timer_.expires_after(std::chrono::milliseconds(500));
    timer_.async_wait([this](const boost::system::error_code& error) {
      if (!error) tick();
    });
  }

  void end(double weight, const std::function<void()>& store, const std::exception_ptr& failure) {
    if (failure) {
      failure_ = failure;
      pool_->stop(); // what has not begun is dropped
      loop_.stop();
      return;
    }
    store();
    progress_.add(weight);
    if (--left_ == 0) loop_.stop();
  }

  boost::asio::io_context loop_;
  boost::asio::signal_set signals_{loop_, SIGINT, SIGTERM};
  boost::asio::steady_timer timer_{loop_};
  std::unique_ptr<boost::asio::thread_pool> pool_;
  std::vector<std::thread> threads_;
  std::size_t left_;
  std::exception_ptr failure_;
  mesh::Progress progress_;
};

} // namespace

int interrupted_status() noexcept {
  return ended_by;
}

bool was_interrupted(int signal_of_job) noexcept {
  if (signal_of_job != 0) ended_by = 128 + signal_of_job;
  return ended_by != 0;
}

bool Sweep::run(unsigned threads) {
  if (tasks_.empty()) return true;
  std::vector<std::size_t> order(tasks_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [this](std::size_t a, std::size_t b) { return tasks_[a].weight > tasks_[b].weight; });
  double total = 0;
  for (const Entry& entry : tasks_) total += entry.weight;
  auto running = std::make_unique<Running>(
      threads > 0 ? threads
                  : std::clamp(std::thread::hardware_concurrency(), 1U, static_cast<unsigned>(most_jobs)),
      tasks_.size(), total);
  for (const std::size_t i : order) running->start(tasks_[i].weight, tasks_[i].task);
  const bool complete = running->wait();
  // Tasks that a signal leaves behind still post to the loop when they end; the process is about to.
  if (!complete) (void)running.release();
  return complete;
}

} // namespace lab
