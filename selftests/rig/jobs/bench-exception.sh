#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What bench-exception measures: no module is loaded, the CPU is alone.
set -e
# What the kernel does in the background after a boot must be over: it takes its
# share of the CPU.
sleep 30
/job/entries 1000 >/out/entries
