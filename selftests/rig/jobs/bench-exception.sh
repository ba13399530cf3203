#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The job of bench-exception: measures entries and exits, with no module loaded and
# nothing else on the CPU.
set -e
# Wait until the kernel's background work after boot is over, since it would use this CPU.
sleep 30
/job/entries 1000 >/out/entries
