/*
 * Arm Statistical Profiling Extension: the log of the records that were
 * written.  Documentation/qemu-model.rst has its format.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/lockable.h"
#include "qemu/thread.h"
#include "qapi/error.h"
#include "cpu.h"
#include "report.h"

static FILE *log_file;
static QemuMutex log_lock;
static uint64_t log_sequence;
static uint64_t log_size;
static bool log_full;

bool spe_log_open(ARMSPEState *s, Error **errp)
{
    if (log_file) {
        return true;        /* one log for all PEs */
    }
    qemu_mutex_init(&log_lock);
    log_file = fopen(s->log_path, "w");
    if (!log_file) {
        error_setg_errno(errp, errno, "spe-log: cannot write %s",
                         s->log_path);
        return false;
    }
    return true;
}

/* Called at exit, when other PEs may still be running */
void spe_log_close(void)
{
    if (log_file) {
        QEMU_LOCK_GUARD(&log_lock);
        fclose(log_file);
        log_file = NULL;
    }
}

void spe_log_position(ARMSPEState *s, uint64_t *sequence, uint64_t *offset)
{
    *sequence = *offset = 0;
    if (s->log_path && log_file) {
        QEMU_LOCK_GUARD(&log_lock);
        fflush(log_file);
        *sequence = log_sequence;
        *offset = ftell(log_file);
    }
}

/*
 * In the process that saved the machine, this removes what was logged since.
 * In another process the log begins with the first record after loading.
 */
void spe_log_rewind(ARMSPEState *s, uint64_t sequence, uint64_t offset)
{
    if (!s->log_path || !log_file) {
        return;
    }
    QEMU_LOCK_GUARD(&log_lock);
    log_sequence = sequence;
    log_full = false;
    fflush(log_file);
    if (ftell(log_file) >= offset &&
        (ftruncate(fileno(log_file), offset) < 0 ||
         fseek(log_file, offset, SEEK_SET) < 0)) {
        error_report("spe-log: cannot truncate the log: %s", strerror(errno));
    }
    log_size = ftell(log_file);
}

/*
 * Adds the last fields to @line and writes it.  The guest decides how many
 * records there are, so the file has a limit; the log ends with the first line
 * that does not fit, so that it has no gap.
 */
static void log_line(ARMSPEState *s, GString *line, const uint8_t *bytes,
                     size_t len)
{
    for (size_t i = 0; i < len; i++) {
        g_string_append_printf(line, "%02x", bytes[i]);
    }
    if (s->config.log_rejected) {
        g_string_append_printf(line, " %" PRIx64 ":%" PRIx64 ":%" PRIx64
                               ":%" PRIx64 ":%" PRIx64, s->pmsfcr, s->pmsevfr,
                               s->pmsnevfr, s->pmslatfr, s->pmsdsfr);
    }
    g_string_append_c(line, '\n');
    if (!log_full && log_size + line->len > s->config.log_limit) {
        log_full = true;
        warn_report("spe-log: %s has reached spe-log-limit=%" PRIu64 ", so "
                    "later records are not logged: give a greater limit",
                    s->log_path, s->config.log_limit);
    }
    if (!log_full) {
        fwrite(line->str, 1, line->len, log_file);
        log_size += line->len;
    }
}

void spe_log_record(ARMSPEState *s, uint64_t ptr, const uint8_t *bytes,
                    int len)
{
    g_autoptr(GString) line = NULL;

    if (!s->log_path) {
        return;
    }
    QEMU_LOCK_GUARD(&log_lock);
    if (!log_file) {
        return;
    }
    line = g_string_new(NULL);
    g_string_printf(line, "%d %" PRIu64 " 0x%" PRIx64 " ",
                    CPU(s->cpu)->cpu_index, log_sequence++, ptr);
    log_line(s, line, bytes, len);
}

/*
 * Packs the record as if it were written, with a copy of the format, so that
 * the packet order of later records does not change.
 */
void spe_log_rejected(ARMSPEState *s, const SPERecord *rec)
{
    uint8_t bytes[SPE_MAX_SIZE] = {};
    g_autoptr(GString) line = NULL;
    SPEFormat format = s->format;
    size_t len;

    if (!s->log_path || !s->config.log_rejected) {
        return;
    }
    len = spe_record_pack(rec, &format, bytes);
    QEMU_LOCK_GUARD(&log_lock);
    if (log_file) {
        line = g_string_new(NULL);
        g_string_printf(line, "%d - - ", CPU(s->cpu)->cpu_index);
        log_line(s, line, bytes, len);
    }
}
