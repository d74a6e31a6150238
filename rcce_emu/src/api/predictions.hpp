// What `auto` of the collectives takes, predicted once for all UEs of a job.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "algorithms/table.hpp"
#include "rcce/rockcreek_predict.h"

namespace rcce::api {

/// The answers given so far. From any thread: while one is worked out, whoever asks waits for it, since most
/// often it is the same question.
class Predictions {
 public:
  void answer(rockcreek_prediction& asked);

 private:
  std::mutex mutex_;
  std::map<std::string, algorithms::Choice> choices_; ///< by the bytes of the question
};

} // namespace rcce::api
