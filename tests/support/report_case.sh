#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Reports a case that check_run.cmake has run among others: status 0 where its file says so, else what was
# wrong.
#   sh report_case.sh FILE
read -r verdict <"$1" || { echo "the case was not run: there is no '$1'"; exit 1; }
case $verdict in
passed*) echo "$verdict" ;;
*) cat "$1"; exit 1 ;;
esac
