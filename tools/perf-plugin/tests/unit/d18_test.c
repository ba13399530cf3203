// SPDX-License-Identifier: GPL-2.0-only
/*
 * D18.2 field by field: the bytes of a packet, what the manual's table says of
 * them, and the text.  Each value of each field stands here, the reserved ones
 * too, and a check that none is left out.  Transcribed from the manual, not from
 * the library.
 */
#include <stdlib.h>

#include "test.h"

static const struct {
	const char *hex, *meaning, *text;
} rows[] = {
	/* D18.2.1: headers, short and extended; INDEX */
	{ "b03412000000000080", "instruction virtual address",
	  "PC 0x1234 EL0 NON-SECURE" },
	{ "b13412000000000080", "branch target address",
	  "BRANCH-TARGET 0x1234 EL0 NON-SECURE" },
	{ "b23412000000000080", "data virtual address",
	  "DATA-VA 0x1234 TAG=0x80" },
	{ "b33412000000000080", "data physical address",
	  "DATA-PA 0x1234 NON-SECURE" },
	{ "b43412000000000080", "previous branch target",
	  "PREVIOUS-BRANCH-TARGET 0x1234 EL0 NON-SECURE" },
	{ "b53412000000000000", "reserved", "RESERVED-ADDRESS[5] 0x1234" },
	{ "b63412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[6] 0x1234" },
	{ "b73412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[7] 0x1234" },
	{ "20b03412000000000080", "the same, extended",
	  "PC 0x1234 EL0 NON-SECURE" },
	{ "20b13412000000000080", "the same, extended",
	  "BRANCH-TARGET 0x1234 EL0 NON-SECURE" },
	{ "20b23412000000000080", "the same, extended",
	  "DATA-VA 0x1234 TAG=0x80" },
	{ "20b33412000000000080", "the same, extended",
	  "DATA-PA 0x1234 NON-SECURE" },
	{ "20b43412000000000080", "the same, extended",
	  "PREVIOUS-BRANCH-TARGET 0x1234 EL0 NON-SECURE" },
	{ "20b53412000000000000", "reserved", "RESERVED-ADDRESS[5] 0x1234" },
	{ "20b63412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[6] 0x1234" },
	{ "20b73412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[7] 0x1234" },
	{ "21b03412000000000000", "reserved", "RESERVED-ADDRESS[8] 0x1234" },
	{ "21b13412000000000000", "reserved", "RESERVED-ADDRESS[9] 0x1234" },
	{ "21b23412000000000000", "reserved", "RESERVED-ADDRESS[10] 0x1234" },
	{ "21b33412000000000000", "reserved", "RESERVED-ADDRESS[11] 0x1234" },
	{ "21b43412000000000000", "reserved", "RESERVED-ADDRESS[12] 0x1234" },
	{ "21b53412000000000000", "reserved", "RESERVED-ADDRESS[13] 0x1234" },
	{ "21b63412000000000000", "reserved", "RESERVED-ADDRESS[14] 0x1234" },
	{ "21b73412000000000000", "reserved", "RESERVED-ADDRESS[15] 0x1234" },
	{ "22b03412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[16] 0x1234" },
	{ "22b13412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[17] 0x1234" },
	{ "22b23412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[18] 0x1234" },
	{ "22b33412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[19] 0x1234" },
	{ "22b43412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[20] 0x1234" },
	{ "22b53412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[21] 0x1234" },
	{ "22b63412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[22] 0x1234" },
	{ "22b73412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[23] 0x1234" },
	{ "23b03412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[24] 0x1234" },
	{ "23b13412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[25] 0x1234" },
	{ "23b23412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[26] 0x1234" },
	{ "23b33412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[27] 0x1234" },
	{ "23b43412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[28] 0x1234" },
	{ "23b53412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[29] 0x1234" },
	{ "23b63412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[30] 0x1234" },
	{ "23b73412000000000000", "IMPLEMENTATION DEFINED",
	  "IMPDEF-ADDRESS[31] 0x1234" },
	/* D18.2.1: instruction addresses, byte 7: NS, EL, NSE, reserved bits */
	{ "b01000000000000080", "EL0", "PC 0x10 EL0 NON-SECURE" },
	{ "b010000000000000a0", "EL1", "PC 0x10 EL1 NON-SECURE" },
	{ "b010000000000000c0", "EL2", "PC 0x10 EL2 NON-SECURE" },
	{ "b010000000000000e0", "EL3", "PC 0x10 EL3 NON-SECURE" },
	{ "b01000000000000000", "NSE 0, NS 0", "PC 0x10 EL0 SECURE" },
	{ "b11000000000000000", "NSE 0, NS 0",
	  "BRANCH-TARGET 0x10 EL0 SECURE" },
	{ "b41000000000000000", "NSE 0, NS 0",
	  "PREVIOUS-BRANCH-TARGET 0x10 EL0 SECURE" },
	{ "b01000000000000080", "NSE 0, NS 1", "PC 0x10 EL0 NON-SECURE" },
	{ "b11000000000000080", "NSE 0, NS 1",
	  "BRANCH-TARGET 0x10 EL0 NON-SECURE" },
	{ "b41000000000000080", "NSE 0, NS 1",
	  "PREVIOUS-BRANCH-TARGET 0x10 EL0 NON-SECURE" },
	{ "b01000000000000090", "NSE 1, NS 1", "PC 0x10 EL0 REALM" },
	{ "b11000000000000090", "NSE 1, NS 1",
	  "BRANCH-TARGET 0x10 EL0 REALM" },
	{ "b41000000000000090", "NSE 1, NS 1",
	  "PREVIOUS-BRANCH-TARGET 0x10 EL0 REALM" },
	{ "b01000000000000010", "NSE 1, NS 0",
	  "PC 0x10 EL0 SECURITY=reserved" },
	{ "b11000000000000010", "NSE 1, NS 0",
	  "BRANCH-TARGET 0x10 EL0 SECURITY=reserved" },
	{ "b41000000000000010", "NSE 1, NS 0",
	  "PREVIOUS-BRANCH-TARGET 0x10 EL0 SECURITY=reserved" },
	{ "b01000000000000081", "byte 7 bit 0, zero in the manual",
	  "PC 0x10 EL0 NON-SECURE reserved=0x1" },
	{ "b01000000000000082", "byte 7 bit 1, zero in the manual",
	  "PC 0x10 EL0 NON-SECURE reserved=0x2" },
	{ "b01000000000000084", "byte 7 bit 2, zero in the manual",
	  "PC 0x10 EL0 NON-SECURE reserved=0x4" },
	{ "b01000000000000088", "byte 7 bit 3, zero in the manual",
	  "PC 0x10 EL0 NON-SECURE reserved=0x8" },
	{ "b0800000000000ff80", "bit 55 set: upper half",
	  "PC 0xffff000000000080 EL0 NON-SECURE" },
	/* D18.2.1: data addresses: TAG; NS, CH, NSE, PAT */
	{ "b21000000000000000", "no tag", "DATA-VA 0x10 TAG=0x0" },
	{ "b210000000000000a5", "tag", "DATA-VA 0x10 TAG=0xa5" },
	{ "b2100000000000ffff", "upper half",
	  "DATA-VA 0xffff000000000010 TAG=0xff" },
	{ "b31000000000000000", "NSE 0, NS 0", "DATA-PA 0x10 SECURE" },
	{ "b31000000000000080", "NSE 0, NS 1", "DATA-PA 0x10 NON-SECURE" },
	{ "b31000000000000090", "NSE 1, NS 1", "DATA-PA 0x10 REALM" },
	{ "b31000000000000010", "NSE 1, NS 0",
	  "DATA-PA 0x10 SECURITY=reserved" },
	{ "b310000000000000c0", "CH, PAT 0",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0x0" },
	{ "b310000000000000c1", "CH, PAT 1",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0x1" },
	{ "b310000000000000c2", "CH, PAT 2",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0x2" },
	{ "b310000000000000c3", "CH, PAT 3",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0x3" },
	{ "b310000000000000c4", "CH, PAT 4",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0x4" },
	{ "b310000000000000c5", "CH, PAT 5",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0x5" },
	{ "b310000000000000c6", "CH, PAT 6",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0x6" },
	{ "b310000000000000c7", "CH, PAT 7",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0x7" },
	{ "b310000000000000c8", "CH, PAT 8",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0x8" },
	{ "b310000000000000c9", "CH, PAT 9",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0x9" },
	{ "b310000000000000ca", "CH, PAT 10",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0xa" },
	{ "b310000000000000cb", "CH, PAT 11",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0xb" },
	{ "b310000000000000cc", "CH, PAT 12",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0xc" },
	{ "b310000000000000cd", "CH, PAT 13",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0xd" },
	{ "b310000000000000ce", "CH, PAT 14",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0xe" },
	{ "b310000000000000cf", "CH, PAT 15",
	  "DATA-PA 0x10 NON-SECURE TAG-CHECKED PAT=0xf" },
	{ "b31000000000000089", "PAT without CH",
	  "DATA-PA 0x10 NON-SECURE PAT=0x9" },
	{ "b310000000000000a0", "byte 7 bit 5, zero in the manual",
	  "DATA-PA 0x10 NON-SECURE reserved=0x20" },
	{ "b3ffffffffffffff80", "56 bits of address",
	  "DATA-PA 0xffffffffffffff NON-SECURE" },
	/* D18.2.2: INDEX */
	{ "6478563412", "CONTEXTIDR_EL1", "CONTEXTIDR_EL1 0x12345678" },
	{ "6578563412", "CONTEXTIDR_EL2", "CONTEXTIDR_EL2 0x12345678" },
	{ "6601000000", "reserved", "RESERVED-CONTEXT[2] 0x1" },
	{ "6701000000", "reserved", "RESERVED-CONTEXT[3] 0x1" },
	/* D18.2.3: INDEX; saturation */
	{ "982c01", "total latency", "TOTAL-LATENCY 300" },
	{ "992c01", "issue latency", "ISSUE-LATENCY 300" },
	{ "9a2c01", "translation latency", "TRANSLATION-LATENCY 300" },
	{ "9b2c01", "reserved", "RESERVED-COUNTER[3] 300" },
	{ "9c2c01", "alternate clock issue latency",
	  "ALTCLK-ISSUE-LATENCY 300" },
	{ "9d2c01", "reserved", "RESERVED-COUNTER[5] 300" },
	{ "9e2c01", "IMPLEMENTATION DEFINED", "IMPDEF-COUNTER[6] 300" },
	{ "9f2c01", "IMPLEMENTATION DEFINED", "IMPDEF-COUNTER[7] 300" },
	{ "20982c01", "total latency, extended", "TOTAL-LATENCY 300" },
	{ "20992c01", "issue latency, extended", "ISSUE-LATENCY 300" },
	{ "209a2c01", "translation latency, extended",
	  "TRANSLATION-LATENCY 300" },
	{ "209b2c01", "reserved, extended", "RESERVED-COUNTER[3] 300" },
	{ "209c2c01", "alternate clock issue latency, extended",
	  "ALTCLK-ISSUE-LATENCY 300" },
	{ "209d2c01", "reserved, extended", "RESERVED-COUNTER[5] 300" },
	{ "209e2c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[6] 300" },
	{ "209f2c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[7] 300" },
	{ "21982c01", "reserved, extended", "RESERVED-COUNTER[8] 300" },
	{ "21992c01", "reserved, extended", "RESERVED-COUNTER[9] 300" },
	{ "219a2c01", "reserved, extended", "RESERVED-COUNTER[10] 300" },
	{ "219b2c01", "reserved, extended", "RESERVED-COUNTER[11] 300" },
	{ "219c2c01", "reserved, extended", "RESERVED-COUNTER[12] 300" },
	{ "219d2c01", "reserved, extended", "RESERVED-COUNTER[13] 300" },
	{ "219e2c01", "reserved, extended", "RESERVED-COUNTER[14] 300" },
	{ "219f2c01", "reserved, extended", "RESERVED-COUNTER[15] 300" },
	{ "22982c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[16] 300" },
	{ "22992c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[17] 300" },
	{ "229a2c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[18] 300" },
	{ "229b2c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[19] 300" },
	{ "229c2c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[20] 300" },
	{ "229d2c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[21] 300" },
	{ "229e2c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[22] 300" },
	{ "229f2c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[23] 300" },
	{ "23982c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[24] 300" },
	{ "23992c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[25] 300" },
	{ "239a2c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[26] 300" },
	{ "239b2c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[27] 300" },
	{ "239c2c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[28] 300" },
	{ "239d2c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[29] 300" },
	{ "239e2c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[30] 300" },
	{ "239f2c01", "IMPLEMENTATION DEFINED, extended",
	  "IMPDEF-COUNTER[31] 300" },
	{ "98fe0f", "the largest of 12 bits that is a count",
	  "TOTAL-LATENCY 4094" },
	{ "98ff0f", "saturated, where counters have 12 bits",
	  "TOTAL-LATENCY 4095 (saturated if 12-bit)" },
	{ "98feff", "the largest of 16 bits that is a count",
	  "TOTAL-LATENCY 65534" },
	{ "98ffff", "saturated", "TOTAL-LATENCY 65535 SATURATED" },
	{ "99fe0f", "the largest of 12 bits that is a count",
	  "ISSUE-LATENCY 4094" },
	{ "99ff0f", "saturated, where counters have 12 bits",
	  "ISSUE-LATENCY 4095 (saturated if 12-bit)" },
	{ "99feff", "the largest of 16 bits that is a count",
	  "ISSUE-LATENCY 65534" },
	{ "99ffff", "saturated", "ISSUE-LATENCY 65535 SATURATED" },
	{ "9afe0f", "the largest of 12 bits that is a count",
	  "TRANSLATION-LATENCY 4094" },
	{ "9aff0f", "saturated, where counters have 12 bits",
	  "TRANSLATION-LATENCY 4095 (saturated if 12-bit)" },
	{ "9afeff", "the largest of 16 bits that is a count",
	  "TRANSLATION-LATENCY 65534" },
	{ "9affff", "saturated", "TRANSLATION-LATENCY 65535 SATURATED" },
	{ "9cfe0f", "the largest of 12 bits that is a count",
	  "ALTCLK-ISSUE-LATENCY 4094" },
	{ "9cff0f", "saturated, where counters have 12 bits",
	  "ALTCLK-ISSUE-LATENCY 4095 (saturated if 12-bit)" },
	{ "9cfeff", "the largest of 16 bits that is a count",
	  "ALTCLK-ISSUE-LATENCY 65534" },
	{ "9cffff", "saturated", "ALTCLK-ISSUE-LATENCY 65535 SATURATED" },
	/* D18.2.4: SZ */
	{ "43ff", "a byte", "DATA-SOURCE 0xff" },
	{ "53ffff", "a halfword", "DATA-SOURCE 0xffff" },
	{ "63ffff0100", "SZ 0b10 is reserved",
	  "DATA-SOURCE 0x1ffff reserved-SZ=0x4" },
	{ "730000000000010000", "SZ 0b11 is reserved",
	  "DATA-SOURCE 0x10000000000 reserved-SZ=0x8" },
	/* D18.2.5, D18.2.8: one byte each */
	{ "01", "end", "END" },
	{ "00", "padding", "PADDING 1" },
	/* D18.2.6: SZ, and each bit */
	{ "4200", "a byte", "EVENTS none" },
	{ "520000", "a halfword", "EVENTS none" },
	{ "6200000000", "a word", "EVENTS none" },
	{ "720000000000000000", "a doubleword", "EVENTS none" },
	{ "4201", "no meaning without E[1]", "EVENTS impdef-0" },
	{ "4203", "generated exception", "EVENTS exception retired" },
	{ "520300", "generated exception", "EVENTS exception retired" },
	{ "6203000000", "generated exception", "EVENTS exception retired" },
	{ "720300000000000000", "generated exception", "EVENTS exception retired" },
	{ "4202", "architecturally retired", "EVENTS retired" },
	{ "520200", "architecturally retired", "EVENTS retired" },
	{ "6202000000", "architecturally retired", "EVENTS retired" },
	{ "720200000000000000", "architecturally retired", "EVENTS retired" },
	{ "4204", "level 1 data cache access", "EVENTS l1d-access" },
	{ "520400", "level 1 data cache access", "EVENTS l1d-access" },
	{ "6204000000", "level 1 data cache access", "EVENTS l1d-access" },
	{ "720400000000000000", "level 1 data cache access",
	  "EVENTS l1d-access" },
	{ "4208", "level 1 data cache refill or miss", "EVENTS l1d-refill" },
	{ "520800", "level 1 data cache refill or miss", "EVENTS l1d-refill" },
	{ "6208000000", "level 1 data cache refill or miss",
	  "EVENTS l1d-refill" },
	{ "720800000000000000", "level 1 data cache refill or miss",
	  "EVENTS l1d-refill" },
	{ "4210", "TLB access", "EVENTS tlb-access" },
	{ "521000", "TLB access", "EVENTS tlb-access" },
	{ "6210000000", "TLB access", "EVENTS tlb-access" },
	{ "721000000000000000", "TLB access", "EVENTS tlb-access" },
	{ "4220", "TLB walk", "EVENTS tlb-walk" },
	{ "522000", "TLB walk", "EVENTS tlb-walk" },
	{ "6220000000", "TLB walk", "EVENTS tlb-walk" },
	{ "722000000000000000", "TLB walk", "EVENTS tlb-walk" },
	{ "4240", "not taken", "EVENTS not-taken" },
	{ "524000", "not taken", "EVENTS not-taken" },
	{ "6240000000", "not taken", "EVENTS not-taken" },
	{ "724000000000000000", "not taken", "EVENTS not-taken" },
	{ "4280", "mispredicted", "EVENTS mispredicted" },
	{ "528000", "mispredicted", "EVENTS mispredicted" },
	{ "6280000000", "mispredicted", "EVENTS mispredicted" },
	{ "728000000000000000", "mispredicted", "EVENTS mispredicted" },
	{ "520001", "last level cache access", "EVENTS llc-access" },
	{ "6200010000", "last level cache access", "EVENTS llc-access" },
	{ "720001000000000000", "last level cache access",
	  "EVENTS llc-access" },
	{ "520002", "last level cache miss", "EVENTS llc-miss" },
	{ "6200020000", "last level cache miss", "EVENTS llc-miss" },
	{ "720002000000000000", "last level cache miss", "EVENTS llc-miss" },
	{ "520004", "remote access", "EVENTS remote-access" },
	{ "6200040000", "remote access", "EVENTS remote-access" },
	{ "720004000000000000", "remote access", "EVENTS remote-access" },
	{ "520008", "misaligned", "EVENTS misaligned" },
	{ "6200080000", "misaligned", "EVENTS misaligned" },
	{ "720008000000000000", "misaligned", "EVENTS misaligned" },
	{ "520010", "IMPLEMENTATION DEFINED", "EVENTS impdef-12" },
	{ "6200100000", "IMPLEMENTATION DEFINED", "EVENTS impdef-12" },
	{ "720010000000000000", "IMPLEMENTATION DEFINED", "EVENTS impdef-12" },
	{ "520020", "IMPLEMENTATION DEFINED", "EVENTS impdef-13" },
	{ "6200200000", "IMPLEMENTATION DEFINED", "EVENTS impdef-13" },
	{ "720020000000000000", "IMPLEMENTATION DEFINED", "EVENTS impdef-13" },
	{ "520040", "IMPLEMENTATION DEFINED", "EVENTS impdef-14" },
	{ "6200400000", "IMPLEMENTATION DEFINED", "EVENTS impdef-14" },
	{ "720040000000000000", "IMPLEMENTATION DEFINED", "EVENTS impdef-14" },
	{ "520080", "IMPLEMENTATION DEFINED", "EVENTS impdef-15" },
	{ "6200800000", "IMPLEMENTATION DEFINED", "EVENTS impdef-15" },
	{ "720080000000000000", "IMPLEMENTATION DEFINED", "EVENTS impdef-15" },
	{ "6200000100", "transactional", "EVENTS transactional" },
	{ "720000010000000000", "transactional", "EVENTS transactional" },
	{ "6200000200", "partial or empty predicate",
	  "EVENTS partial-predicate" },
	{ "720000020000000000", "partial or empty predicate",
	  "EVENTS partial-predicate" },
	{ "6200000400", "empty predicate", "EVENTS empty-predicate" },
	{ "720000040000000000", "empty predicate", "EVENTS empty-predicate" },
	{ "6200000800", "level 2 data cache access", "EVENTS l2d-access" },
	{ "720000080000000000", "level 2 data cache access",
	  "EVENTS l2d-access" },
	{ "6200001000", "level 2 data cache miss", "EVENTS l2d-miss" },
	{ "720000100000000000", "level 2 data cache miss", "EVENTS l2d-miss" },
	{ "6200002000", "cache data modified", "EVENTS data-modified" },
	{ "720000200000000000", "cache data modified",
	  "EVENTS data-modified" },
	{ "6200004000", "recently fetched", "EVENTS recently-fetched" },
	{ "720000400000000000", "recently fetched",
	  "EVENTS recently-fetched" },
	{ "6200008000", "data snooped", "EVENTS data-snooped" },
	{ "720000800000000000", "data snooped", "EVENTS data-snooped" },
	{ "6200000001", "Streaming SVE mode", "EVENTS streaming-sve" },
	{ "720000000100000000", "Streaming SVE mode", "EVENTS streaming-sve" },
	{ "6200000002", "SMCU or external coprocessor", "EVENTS smcu" },
	{ "720000000200000000", "SMCU or external coprocessor",
	  "EVENTS smcu" },
	{ "6200000004", "IMPLEMENTATION DEFINED", "EVENTS impdef-26" },
	{ "720000000400000000", "IMPLEMENTATION DEFINED", "EVENTS impdef-26" },
	{ "6200000008", "IMPLEMENTATION DEFINED", "EVENTS impdef-27" },
	{ "720000000800000000", "IMPLEMENTATION DEFINED", "EVENTS impdef-27" },
	{ "6200000010", "IMPLEMENTATION DEFINED", "EVENTS impdef-28" },
	{ "720000001000000000", "IMPLEMENTATION DEFINED", "EVENTS impdef-28" },
	{ "6200000020", "IMPLEMENTATION DEFINED", "EVENTS impdef-29" },
	{ "720000002000000000", "IMPLEMENTATION DEFINED", "EVENTS impdef-29" },
	{ "6200000040", "IMPLEMENTATION DEFINED", "EVENTS impdef-30" },
	{ "720000004000000000", "IMPLEMENTATION DEFINED", "EVENTS impdef-30" },
	{ "6200000080", "IMPLEMENTATION DEFINED", "EVENTS impdef-31" },
	{ "720000008000000000", "IMPLEMENTATION DEFINED", "EVENTS impdef-31" },
	{ "720000000001000000", "zero in the manual", "EVENTS reserved-32" },
	{ "720000000002000000", "zero in the manual", "EVENTS reserved-33" },
	{ "720000000004000000", "zero in the manual", "EVENTS reserved-34" },
	{ "720000000008000000", "zero in the manual", "EVENTS reserved-35" },
	{ "720000000010000000", "zero in the manual", "EVENTS reserved-36" },
	{ "720000000020000000", "zero in the manual", "EVENTS reserved-37" },
	{ "720000000040000000", "zero in the manual", "EVENTS reserved-38" },
	{ "720000000080000000", "zero in the manual", "EVENTS reserved-39" },
	{ "720000000000010000", "zero in the manual", "EVENTS reserved-40" },
	{ "720000000000020000", "zero in the manual", "EVENTS reserved-41" },
	{ "720000000000040000", "zero in the manual", "EVENTS reserved-42" },
	{ "720000000000080000", "zero in the manual", "EVENTS reserved-43" },
	{ "720000000000100000", "zero in the manual", "EVENTS reserved-44" },
	{ "720000000000200000", "zero in the manual", "EVENTS reserved-45" },
	{ "720000000000400000", "zero in the manual", "EVENTS reserved-46" },
	{ "720000000000800000", "zero in the manual", "EVENTS reserved-47" },
	{ "720000000000000100", "IMPLEMENTATION DEFINED", "EVENTS impdef-48" },
	{ "720000000000000200", "IMPLEMENTATION DEFINED", "EVENTS impdef-49" },
	{ "720000000000000400", "IMPLEMENTATION DEFINED", "EVENTS impdef-50" },
	{ "720000000000000800", "IMPLEMENTATION DEFINED", "EVENTS impdef-51" },
	{ "720000000000001000", "IMPLEMENTATION DEFINED", "EVENTS impdef-52" },
	{ "720000000000002000", "IMPLEMENTATION DEFINED", "EVENTS impdef-53" },
	{ "720000000000004000", "IMPLEMENTATION DEFINED", "EVENTS impdef-54" },
	{ "720000000000008000", "IMPLEMENTATION DEFINED", "EVENTS impdef-55" },
	{ "720000000000000001", "IMPLEMENTATION DEFINED", "EVENTS impdef-56" },
	{ "720000000000000002", "IMPLEMENTATION DEFINED", "EVENTS impdef-57" },
	{ "720000000000000004", "IMPLEMENTATION DEFINED", "EVENTS impdef-58" },
	{ "720000000000000008", "IMPLEMENTATION DEFINED", "EVENTS impdef-59" },
	{ "720000000000000010", "IMPLEMENTATION DEFINED", "EVENTS impdef-60" },
	{ "720000000000000020", "IMPLEMENTATION DEFINED", "EVENTS impdef-61" },
	{ "720000000000000040", "IMPLEMENTATION DEFINED", "EVENTS impdef-62" },
	{ "720000000000000080", "IMPLEMENTATION DEFINED", "EVENTS impdef-63" },
	/* D18.2.7: CLASS 0b00: other */
	{ "4800", "ASE 0, FP 0, COND 0", "OP OTHER" },
	{ "4801", "ASE 0, FP 0, COND 1", "OP OTHER COND" },
	{ "4802", "ASE 0, FP 1, COND 0", "OP OTHER FP" },
	{ "4803", "ASE 0, FP 1, COND 1", "OP OTHER COND FP" },
	{ "4804", "ASE 1, FP 0, COND 0", "OP OTHER ASE" },
	{ "4805", "ASE 1, FP 0, COND 1", "OP OTHER COND ASE" },
	{ "4806", "ASE 1, FP 1, COND 0", "OP OTHER FP ASE" },
	{ "4807", "ASE 1, FP 1, COND 1", "OP OTHER COND FP ASE" },
	/* CLASS 0b00: SVE, with EVL, PRED, FP */
	{ "4808", "EVL 0", "OP SVE EVL=32" },
	{ "4818", "EVL 1", "OP SVE EVL=64" },
	{ "4828", "EVL 2", "OP SVE EVL=128" },
	{ "4838", "EVL 3", "OP SVE EVL=256" },
	{ "4848", "EVL 4", "OP SVE EVL=512" },
	{ "4858", "EVL 5", "OP SVE EVL=1024" },
	{ "4868", "EVL 6", "OP SVE EVL=2048" },
	{ "4878", "EVL 7", "OP SVE EVL=>2048" },
	{ "480a", "FP", "OP SVE FP EVL=32" },
	{ "480c", "PRED", "OP SVE PRED EVL=32" },
	{ "480e", "PRED, FP", "OP SVE FP PRED EVL=32" },
	/* CLASS 0b00: SME, with ETS, FP */
	{ "4888", "ETS 0", "OP SME ETS=128" },
	{ "488c", "ETS 1", "OP SME ETS=256" },
	{ "4898", "ETS 2", "OP SME ETS=512" },
	{ "489c", "ETS 3", "OP SME ETS=1024" },
	{ "48a8", "ETS 4", "OP SME ETS=2048" },
	{ "48ac", "ETS 5", "OP SME ETS=4096" },
	{ "48b8", "ETS 6", "OP SME ETS=8192" },
	{ "48bc", "ETS 7", "OP SME ETS=16384" },
	{ "48c8", "ETS 8", "OP SME ETS=32768" },
	{ "48cc", "ETS 9", "OP SME ETS=65536" },
	{ "48d8", "ETS 10", "OP SME ETS=131072" },
	{ "48dc", "ETS 11", "OP SME ETS=262144" },
	{ "48e8", "ETS 12, reserved", "OP SME CLASS=0x0 payload=0xe8" },
	{ "48ec", "ETS 13, reserved", "OP SME CLASS=0x0 payload=0xec" },
	{ "48f8", "ETS 14, reserved", "OP SME CLASS=0x0 payload=0xf8" },
	{ "48fc", "ETS 15", "OP SME ETS=whole-ZA" },
	{ "488a", "FP", "OP SME FP ETS=128" },
	/* CLASS 0b00: what no payload type has */
	{ "4809", "reserved", "OP RESERVED CLASS=0x0 payload=0x9" },
	{ "4810", "reserved", "OP RESERVED CLASS=0x0 payload=0x10" },
	{ "4820", "reserved", "OP RESERVED CLASS=0x0 payload=0x20" },
	{ "4840", "reserved", "OP RESERVED CLASS=0x0 payload=0x40" },
	{ "4880", "reserved", "OP RESERVED CLASS=0x0 payload=0x80" },
	{ "4889", "reserved", "OP RESERVED CLASS=0x0 payload=0x89" },
	{ "4890", "reserved", "OP RESERVED CLASS=0x0 payload=0x90" },
	{ "48ff", "reserved", "OP RESERVED CLASS=0x0 payload=0xff" },
	/* CLASS 0b01: general */
	{ "4900", "general-purpose registers, load", "OP LOAD GP-REG" },
	{ "4901", "general-purpose registers, store", "OP STORE GP-REG" },
	{ "4904", "SIMD and floating-point registers, load",
	  "OP LOAD SIMD-FP-REG" },
	{ "4905", "SIMD and floating-point registers, store",
	  "OP STORE SIMD-FP-REG" },
	{ "4910", "unspecified registers, load", "OP LOAD UNSPECIFIED-REG" },
	{ "4911", "unspecified registers, store", "OP STORE UNSPECIFIED-REG" },
	{ "4914", "allocation tags, load", "OP LOAD ALLOCATION-TAG" },
	{ "4915", "allocation tags, store", "OP STORE ALLOCATION-TAG" },
	{ "4930", "system register made a load or store, load",
	  "OP LOAD NV2-SYSREG" },
	{ "4931", "system register made a load or store, store",
	  "OP STORE NV2-SYSREG" },
	/* CLASS 0b01: extended, with AR, EXCL, AT */
	{ "4902", "AR 0, EXCL 0, AT 0, LDST 0", "OP LOAD EXTENDED" },
	{ "4903", "AR 0, EXCL 0, AT 0, LDST 1", "OP STORE EXTENDED" },
	{ "4906", "AR 0, EXCL 0, AT 1, LDST 0", "OP LOAD EXTENDED AT" },
	{ "4907", "AR 0, EXCL 0, AT 1, LDST 1", "OP STORE EXTENDED AT" },
	{ "490a", "AR 0, EXCL 1, AT 0, LDST 0", "OP LOAD EXTENDED EXCL" },
	{ "490b", "AR 0, EXCL 1, AT 0, LDST 1", "OP STORE EXTENDED EXCL" },
	{ "490e", "AR 0, EXCL 1, AT 1, LDST 0", "OP LOAD EXTENDED AT EXCL" },
	{ "490f", "AR 0, EXCL 1, AT 1, LDST 1", "OP STORE EXTENDED AT EXCL" },
	{ "4912", "AR 1, EXCL 0, AT 0, LDST 0", "OP LOAD EXTENDED AR" },
	{ "4913", "AR 1, EXCL 0, AT 0, LDST 1", "OP STORE EXTENDED AR" },
	{ "4916", "AR 1, EXCL 0, AT 1, LDST 0", "OP LOAD EXTENDED AT AR" },
	{ "4917", "AR 1, EXCL 0, AT 1, LDST 1", "OP STORE EXTENDED AT AR" },
	{ "491a", "AR 1, EXCL 1, AT 0, LDST 0", "OP LOAD EXTENDED EXCL AR" },
	{ "491b", "AR 1, EXCL 1, AT 0, LDST 1", "OP STORE EXTENDED EXCL AR" },
	{ "491e", "AR 1, EXCL 1, AT 1, LDST 0",
	  "OP LOAD EXTENDED AT EXCL AR" },
	{ "491f", "AR 1, EXCL 1, AT 1, LDST 1",
	  "OP STORE EXTENDED AT EXCL AR" },
	/* CLASS 0b01: SVE or SME, with SG, EVL, PRED */
	{ "4908", "EVL 0", "OP LOAD SVE-SME-REG EVL=32" },
	{ "4918", "EVL 1", "OP LOAD SVE-SME-REG EVL=64" },
	{ "4928", "EVL 2", "OP LOAD SVE-SME-REG EVL=128" },
	{ "4938", "EVL 3", "OP LOAD SVE-SME-REG EVL=256" },
	{ "4948", "EVL 4", "OP LOAD SVE-SME-REG EVL=512" },
	{ "4958", "EVL 5", "OP LOAD SVE-SME-REG EVL=1024" },
	{ "4968", "EVL 6", "OP LOAD SVE-SME-REG EVL=2048" },
	{ "4978", "EVL 7", "OP LOAD SVE-SME-REG EVL=>2048" },
	{ "4909", "store", "OP STORE SVE-SME-REG EVL=32" },
	{ "490c", "PRED", "OP LOAD SVE-SME-REG PRED EVL=32" },
	{ "4988", "SG", "OP LOAD SVE-SME-REG SG EVL=32" },
	{ "498d", "SG, PRED, store", "OP STORE SVE-SME-REG PRED SG EVL=32" },
	/* CLASS 0b01: memory copy, memory set, GCS */
	{ "4920", "load", "OP LOAD MEMORY-COPY" },
	{ "4921", "store", "OP STORE MEMORY-COPY" },
	{ "4925", "store", "OP STORE MEMORY-SET" },
	{ "4940", "branch with link or return, load", "OP LOAD GCS" },
	{ "4941", "store", "OP STORE GCS" },
	{ "4944", "COMM, load", "OP LOAD GCS COMM" },
	{ "4945", "COMM, store", "OP STORE GCS COMM" },
	/* CLASS 0b01: what no payload type has */
	{ "4922", "reserved", "OP RESERVED CLASS=0x1 payload=0x22" },
	{ "4924", "reserved", "OP RESERVED CLASS=0x1 payload=0x24" },
	{ "4935", "reserved", "OP RESERVED CLASS=0x1 payload=0x35" },
	{ "4934", "reserved", "OP RESERVED CLASS=0x1 payload=0x34" },
	{ "4950", "reserved", "OP RESERVED CLASS=0x1 payload=0x50" },
	{ "4960", "reserved", "OP RESERVED CLASS=0x1 payload=0x60" },
	{ "4980", "reserved", "OP RESERVED CLASS=0x1 payload=0x80" },
	{ "49f7", "reserved", "OP RESERVED CLASS=0x1 payload=0xf7" },
	/* CLASS 0b10: branch, with CR, GCS, IND, COND */
	{ "4a00", "CR 0, GCS 0, IND 0, COND 0", "OP BRANCH" },
	{ "4a01", "CR 0, GCS 0, IND 0, COND 1", "OP BRANCH COND" },
	{ "4a02", "CR 0, GCS 0, IND 1, COND 0", "OP BRANCH IND" },
	{ "4a03", "CR 0, GCS 0, IND 1, COND 1", "OP BRANCH COND IND" },
	{ "4a04", "CR 0, GCS 1, IND 0, COND 0", "OP BRANCH GCS-ACCESS" },
	{ "4a05", "CR 0, GCS 1, IND 0, COND 1", "OP BRANCH COND GCS-ACCESS" },
	{ "4a06", "CR 0, GCS 1, IND 1, COND 0", "OP BRANCH IND GCS-ACCESS" },
	{ "4a07", "CR 0, GCS 1, IND 1, COND 1",
	  "OP BRANCH COND IND GCS-ACCESS" },
	{ "4a08", "CR 1, GCS 0, IND 0, COND 0", "OP BRANCH LINK" },
	{ "4a09", "CR 1, GCS 0, IND 0, COND 1", "OP BRANCH COND LINK" },
	{ "4a0a", "CR 1, GCS 0, IND 1, COND 0", "OP BRANCH IND LINK" },
	{ "4a0b", "CR 1, GCS 0, IND 1, COND 1", "OP BRANCH COND IND LINK" },
	{ "4a0c", "CR 1, GCS 1, IND 0, COND 0", "OP BRANCH GCS-ACCESS LINK" },
	{ "4a0d", "CR 1, GCS 1, IND 0, COND 1",
	  "OP BRANCH COND GCS-ACCESS LINK" },
	{ "4a0e", "CR 1, GCS 1, IND 1, COND 0",
	  "OP BRANCH IND GCS-ACCESS LINK" },
	{ "4a0f", "CR 1, GCS 1, IND 1, COND 1",
	  "OP BRANCH COND IND GCS-ACCESS LINK" },
	{ "4a10", "CR 2, GCS 0, IND 0, COND 0", "OP BRANCH RETURN" },
	{ "4a11", "CR 2, GCS 0, IND 0, COND 1", "OP BRANCH COND RETURN" },
	{ "4a12", "CR 2, GCS 0, IND 1, COND 0", "OP BRANCH IND RETURN" },
	{ "4a13", "CR 2, GCS 0, IND 1, COND 1", "OP BRANCH COND IND RETURN" },
	{ "4a14", "CR 2, GCS 1, IND 0, COND 0",
	  "OP BRANCH GCS-ACCESS RETURN" },
	{ "4a15", "CR 2, GCS 1, IND 0, COND 1",
	  "OP BRANCH COND GCS-ACCESS RETURN" },
	{ "4a16", "CR 2, GCS 1, IND 1, COND 0",
	  "OP BRANCH IND GCS-ACCESS RETURN" },
	{ "4a17", "CR 2, GCS 1, IND 1, COND 1",
	  "OP BRANCH COND IND GCS-ACCESS RETURN" },
	{ "4a18", "CR 3, GCS 0, IND 0, COND 0",
	  "OP BRANCH NEITHER-LINK-NOR-RETURN" },
	{ "4a19", "CR 3, GCS 0, IND 0, COND 1",
	  "OP BRANCH COND NEITHER-LINK-NOR-RETURN" },
	{ "4a1a", "CR 3, GCS 0, IND 1, COND 0",
	  "OP BRANCH IND NEITHER-LINK-NOR-RETURN" },
	{ "4a1b", "CR 3, GCS 0, IND 1, COND 1",
	  "OP BRANCH COND IND NEITHER-LINK-NOR-RETURN" },
	{ "4a1c", "CR 3, GCS 1, IND 0, COND 0",
	  "OP BRANCH GCS-ACCESS NEITHER-LINK-NOR-RETURN" },
	{ "4a1d", "CR 3, GCS 1, IND 0, COND 1",
	  "OP BRANCH COND GCS-ACCESS NEITHER-LINK-NOR-RETURN" },
	{ "4a1e", "CR 3, GCS 1, IND 1, COND 0",
	  "OP BRANCH IND GCS-ACCESS NEITHER-LINK-NOR-RETURN" },
	{ "4a1f", "CR 3, GCS 1, IND 1, COND 1",
	  "OP BRANCH COND IND GCS-ACCESS NEITHER-LINK-NOR-RETURN" },
	{ "4a20", "reserved", "OP RESERVED CLASS=0x2 payload=0x20" },
	{ "4a40", "reserved", "OP RESERVED CLASS=0x2 payload=0x40" },
	{ "4a80", "reserved", "OP RESERVED CLASS=0x2 payload=0x80" },
	{ "4aff", "reserved", "OP RESERVED CLASS=0x2 payload=0xff" },
	{ "4b00", "CLASS 0b11 is reserved",
	  "OP RESERVED CLASS=0x3 payload=0x0" },
	/* D18.2.9: 64 bits */
	{ "710000000000000000", "zero", "TIMESTAMP 0" },
	{ "71ffffffffffffffff", "all", "TIMESTAMP 18446744073709551615" },
};

#define NR_ROWS (sizeof(rows) / sizeof(rows[0]))

static bool decode_row(size_t i, struct armspe_packet *p)
{
	uint8_t bytes[16];
	size_t len = 0;
	const char *hex;

	for (hex = rows[i].hex; *hex; hex += 2) {
		char pair[3] = { hex[0], hex[1], 0 };

		bytes[len++] = (uint8_t)strtoul(pair, NULL, 16);
	}
	return armspe_packet_decode(bytes, len, p) == ARMSPE_OK &&
	       armspe_packet_bytes(p) == len;
}

static void every_row(void)
{
	char text[ARMSPE_TEXT_MAX];
	struct armspe_packet p;
	size_t i;

	for (i = 0; i < NR_ROWS; i++) {
		if (!decode_row(i, &p)) {
			test_fail(__FILE__, __LINE__, "%s (%s) is no packet",
				  rows[i].hex, rows[i].meaning);
			continue;
		}
		armspe_text_packet(&p, text, sizeof(text));
		if (strcmp(text, rows[i].text))
			test_fail(__FILE__, __LINE__, "%s (%s): \"%s\", not \"%s\"",
				  rows[i].hex, rows[i].meaning, text,
				  rows[i].text);
	}
}

/* Which values of which fields the rows have */
struct seen {
	uint32_t addresses, extended_addresses, counters, extended_counters;
	uint32_t contexts, source_sizes, event_sizes;
	uint64_t events[9];		/* by the packet's size in bytes */
	uint32_t subclasses, flags, no_flags;
	uint32_t evl[2], ets;		/* of operations, of loads and stores */
	uint32_t cr, el, security[2], pat;
};

static void see_address(struct seen *s, const struct armspe_packet *p)
{
	unsigned int top = (unsigned int)(p->payload >> 56);
	unsigned int space = (top >> 4 & 1) << 1 | top >> 7;

	*(p->header_bytes == 2 ? &s->extended_addresses : &s->addresses) |=
		1u << p->index;
	if (p->index == SPE_ADDR_PC)
		s->el |= 1u << (top >> 5 & 3);
	if (p->index == SPE_ADDR_PC)
		s->security[0] |= 1u << space;
	if (p->index == SPE_ADDR_DATA_PA) {
		s->security[1] |= 1u << space;
		s->pat |= top & SPE_ADDR_PA_CH ? 1u << (top & 15) : 0;
	}
}

static void see_op(struct seen *s, const struct armspe_packet *p)
{
	unsigned int payload = (unsigned int)p->payload;
	struct armspe_op op;

	armspe_op_decode(p->index, (uint8_t)payload, &op);
	s->subclasses |= 1u << op.subclass;
	s->flags |= op.flags;
	s->no_flags |= ~op.flags;
	if (op.subclass == ARMSPE_OP_SVE || op.subclass == ARMSPE_OP_LDST_SVE_SME)
		s->evl[op.subclass != ARMSPE_OP_SVE] |= 1u << (payload >> 4 & 7);
	if (op.subclass == ARMSPE_OP_SME)
		s->ets |= 1u << ((payload >> 4 & 7) << 1 | (payload >> 2 & 1));
	if (op.subclass == ARMSPE_OP_BRANCH)
		s->cr |= 1u << (payload >> 3 & 3);
}

static void see(struct seen *s, const struct armspe_packet *p)
{
	if (p->type == ARMSPE_ADDRESS)
		see_address(s, p);
	if (p->type == ARMSPE_COUNTER)
		*(p->header_bytes == 2 ? &s->extended_counters : &s->counters) |=
			1u << p->index;
	if (p->type == ARMSPE_CONTEXT)
		s->contexts |= 1u << p->index;
	if (p->type == ARMSPE_DATA_SOURCE)
		s->source_sizes |= 1u << p->payload_bytes;
	if (p->type == ARMSPE_EVENTS) {
		s->event_sizes |= 1u << p->payload_bytes;
		s->events[p->payload_bytes] |= p->payload;
	}
	if (p->type == ARMSPE_OP_TYPE)
		see_op(s, p);
}

static void nothing_is_left_out(void)
{
	const uint32_t sizes = 1u << 1 | 1u << 2 | 1u << 4 | 1u << 8;
	struct armspe_packet p;
	struct seen s = { 0 };
	unsigned int bit;
	size_t i;

	for (i = 0; i < NR_ROWS; i++)
		if (decode_row(i, &p))
			see(&s, &p);
	CHECK_EQ(s.addresses, 0xff);
	CHECK_EQ(s.extended_addresses, 0xffffffff);
	CHECK_EQ(s.counters, 0xff);
	CHECK_EQ(s.extended_counters, 0xffffffff);
	CHECK_EQ(s.contexts, 0xf);
	CHECK_EQ(s.source_sizes, sizes);
	CHECK_EQ(s.event_sizes, sizes);
	CHECK_EQ(s.events[1], 0xff);
	CHECK_EQ(s.events[2], 0xffff);
	CHECK_EQ(s.events[4], 0xffffffff);
	CHECK_EQ(s.events[8], UINT64_MAX);
	CHECK_EQ(s.subclasses, (1u << (ARMSPE_OP_RESERVED + 1)) - 1);
	CHECK_EQ(s.evl[0], 0xff);
	CHECK_EQ(s.evl[1], 0xff);
	CHECK_EQ(s.ets, 0xffff);
	CHECK_EQ(s.cr, 0xf);
	CHECK_EQ(s.el, 0xf);
	CHECK_EQ(s.security[0], 0xf);
	CHECK_EQ(s.security[1], 0xf);
	CHECK_EQ(s.pat, 0xffff);
	for (bit = 0; bit < 32; bit++)
		if (armspe_op_flag_name(bit))
			CHECK(s.flags & s.no_flags & 1u << bit);
}

const struct test_case d18_cases[] = {
	{ "D18.2: every value of every field", every_row },
	{ "D18.2: no value of a field is left out", nothing_is_left_out },
	{ 0 },
};
