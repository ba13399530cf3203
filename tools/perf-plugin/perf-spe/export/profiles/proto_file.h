/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Write protobuf messages one after the other.  The format defines that messages
 * which follow each other are one message with the repeated fields of all.
 */
#ifndef PERF_SPE_PROTO_FILE_H
#define PERF_SPE_PROTO_FILE_H

#ifdef HAVE_PROTOBUF_C

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export/format.h"

struct proto_file;

/* Open the writer's file; NULL after a message. */
struct proto_file *proto_begin(const struct writer *w, bool compressed);
/* proto_end() tells of errors. */
void proto_put(struct proto_file *f, const ProtobufCMessage *message);
/* 0, or -1 after a message */
int proto_end(struct proto_file *f, const struct writer *w);

#endif
#endif
