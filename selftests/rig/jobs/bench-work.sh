#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Fixed work that profiles nothing.
set -e
/job/hot 1000000
dd if=/usr/bin/perf of=/tmp/input bs=64k count=16 2>/dev/null
/usr/bin/xz -1 -c /tmp/input >/dev/null
