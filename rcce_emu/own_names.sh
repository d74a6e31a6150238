# SPDX-License-Identifier: Apache-2.0
# own_names.sh LIBRARY: a version script for programs. It keeps to the program what bears a name that the
# library, or the C++ library behind it, takes from the C library: a program's own `stat` or `read` would
# else take the place of the C library's for the whole process. The heap's names may take that place, and
# `environ` is one variable for all.
behind=$(ldd "$1" | sed -n 's/.*lib\(stdc++\|gcc_s\|fmt\|boost_[a-z]*\)\.so.* => \([^ ]*\) .*/\2/p')
echo '{ local:'
nm -D --undefined-only "$1" $behind | sed -n 's/^ *[Uw] \([a-z][A-Za-z0-9_]*\).*/\1/p' |
  grep -vxE 'environ|(m|c|re|p?v)alloc|c?free|(aligned|re)_?alloc(array)?|(posix_)?memalign' |
  LC_ALL=C sort -u | sed 's/.*/  &;/'
echo '};'
