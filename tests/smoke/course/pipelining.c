/* rockcreek exercise: pipelining */
/* A chain that carries parts: while a part is on its way to the next UE, the one behind it comes in. */
#include "RCCE.h"
#include "iRCCE.h"

#include "algorithms/algorithm.h"

static int broadcast(const rockcreek_call *call) {
  const int ues = RCCE_num_ues(), self = (RCCE_ue() - call->root + ues) % ues;
  const int before = (RCCE_ue() + ues - 1) % ues, next = (RCCE_ue() + 1) % ues;
  const size_t part = (size_t)rockcreek_value(call, "part");
  iRCCE_SEND_REQUEST sending;
  int is_sending = 0;
  for (size_t offset = 0; offset < call->bytes; offset += part) {
    const size_t length = call->bytes - offset < part ? call->bytes - offset : part;
    if (self > 0) {
      iRCCE_RECV_REQUEST receiving;
      iRCCE_irecv(call->buffer + offset, length, before, &receiving);
      iRCCE_irecv_wait(&receiving);
    }
    if (is_sending)
      iRCCE_isend_wait(&sending);
    if (self < ues - 1)
      iRCCE_isend(call->buffer + offset, length, next, &sending);
    is_sending = self < ues - 1;
  }
  if (is_sending)
    iRCCE_isend_wait(&sending);
  return RCCE_SUCCESS;
}

ROCKCREEK_ALGORITHM(my_broadcast, .name = "bcast/mine", .operation = ROCKCREEK_BCAST,
                    .summary = "a chain with parts", .source = "a test",
                    .parameters = {{.name = "part",
                                    .unit = "bytes",
                                    .least = 1,
                                    .most = ROCKCREEK_MOST_BYTES,
                                    .default_value = 1024,
                                    .tried = "512-8192:x2",
                                    .help = "bytes of one part"}},
                    .needs = ROCKCREEK_USES_REQUESTS, .run = broadcast);
