/*
 * Arm Statistical Profiling Extension: ground truth for tests of software:
 * what each SPU did, as JSON.  Documentation/qemu-model.rst has its format.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/notify.h"
#include "qapi/error.h"
#include "system/system.h"
#include "cpu.h"
#include "internals.h"
#include "report.h"

/* All SPUs of the machine, in the order of their PEs */
static QLIST_HEAD(, ARMSPEState) units = QLIST_HEAD_INITIALIZER(units);

static void print_list(GString *out, ARMSPECounts *n)
{
    uint64_t count = MIN(n->stopped_intervals, SPE_STOPPED_LIST);

    for (uint64_t i = 0; i < count; i++) {
        g_string_append_printf(out, "%s%" PRIu64, i ? "," : "",
                               n->stopped_list[i]);
    }
}

static void print_pe(GString *out, ARMSPEState *s)
{
    ARMSPECounts *n = &s->n;
    uint64_t running = 0;

    /* n->operations lacks the operations since the budget was loaded. */
    if (s->activity == SPE_PROFILING) {
        running = s->loaded - s->cpu->env.spe_budget;
    }
    g_string_append_printf(out,
        "  {\"index\":%d,\"mpidr\":%" PRIu64 ","
        "\"operations\":%" PRIu64 ",\"sampled\":%" PRIu64 ",\n"
        "   \"rejected\":{\"event\":%" PRIu64 ",\"inverted_event\":%" PRIu64
        ",\"type\":%" PRIu64 ",\"latency\":%" PRIu64
        ",\"data_source\":%" PRIu64 "},\n"
        "   \"records\":%" PRIu64 ",\"bytes\":%" PRIu64
        ",\"padding\":%" PRIu64 ",\"discarded\":%" PRIu64
        ",\"collisions\":%" PRIu64 ",\"register_writes\":%" PRIu64 ",\n"
        "   \"misuse\":{\"ignored_writes\":%" PRIu64
        ",\"unordered_writes\":%" PRIu64 ",\"illegal_pointers\":%" PRIu64
        "},\n",
        CPU(s->cpu)->cpu_index, arm_cpu_mp_affinity(s->cpu),
        n->operations + running, n->sampled, n->rejected_event,
        n->rejected_inverted_event, n->rejected_type, n->rejected_latency,
        n->rejected_data_source, n->records, n->bytes, n->padding,
        n->discarded, n->collisions, n->register_writes, n->ignored_writes,
        n->unordered_writes, n->illegal_pointers);
    g_string_append_printf(out,
        "   \"events\":{\"buffer_full\":%" PRIu64 ",\"stage1_fault\":%" PRIu64
        ",\"stage2_fault\":%" PRIu64 ",\"gpc_fault\":%" PRIu64
        ",\"external_abort\":%" PRIu64 ",\"access_not_allowed\":%" PRIu64
        ",\"buffer_too_large\":%" PRIu64 ",\"imp_def\":%" PRIu64 "},\n"
        "   \"stopped\":{\"intervals\":%" PRIu64 ",\"operations\":%" PRIu64
        ",\"register_writes\":%" PRIu64 ",\"max\":%" PRIu64 ",\"list\":[",
        n->buffer_full, n->stage1_fault, n->stage2_fault, n->gpc_fault,
        n->external_abort, n->access_not_allowed, n->buffer_too_large,
        n->imp_def, n->stopped_intervals, n->stopped_operations,
        n->stopped_writes, n->stopped_max);
    print_list(out, n);
    g_string_append(out, "]}}");
}

static void print_model(GString *out, ARMSPEState *s)
{
    g_string_append_printf(out,
        " \"model\":{\"version\":%" PRIu64 ",\"max_size\":%d,\"align\":%d,"
        "\"count_size\":%d,\"interval\":%d,\"arch_inst\":1,\"ernd\":%d,"
        "\"events\":%" PRIu64 ",\"unknown_seed\":%" PRIu64 "},\n",
        FIELD_EX64(s->cpu->isar.id_aa64dfr0, ID_AA64DFR0, PMSVER),
        1 << FIELD_EX64(s->pmsidr, PMSIDR, MAXSIZE),
        1 << FIELD_EX64(s->pmbidr, PMBIDR, ALIGN),
        s->format.counter_max == 0xfff ? 12 : 16,
        (int)FIELD_EX64(s->pmsidr, PMSIDR, INTERVAL),
        (int)FIELD_EX64(s->pmsidr, PMSIDR, ERND), s->event_mask,
        s->config.unknown_seed);
}

char *spe_report_json(void)
{
    GString *out = g_string_new("{");
    ARMSPEState *s;
    bool first = true;

    QLIST_FOREACH(s, &units, next) {
        if (first) {
            print_model(out, s);
            g_string_append(out, " \"pe\":[\n");
        } else {
            g_string_append(out, ",\n");
        }
        first = false;
        print_pe(out, s);
    }
    g_string_append(out, first ? "\"pe\":[]}\n" : "\n]}\n");
    return g_string_free(out, false);
}

static void report_at_exit(Notifier *notifier, void *data)
{
    ARMSPEState *s = QLIST_FIRST(&units);
    g_autofree char *json = spe_report_json();
    g_autoptr(GError) err = NULL;

    if (s->report_path &&
        !g_file_set_contents(s->report_path, json, -1, &err)) {
        error_report("spe-report: cannot write the report: %s", err->message);
    }
    spe_log_close();
}

void spe_report_add(ARMSPEState *s)
{
    static Notifier at_exit = { .notify = report_at_exit };
    static ARMSPEState *last;

    if (!last) {
        QLIST_INSERT_HEAD(&units, s, next);
        qemu_add_exit_notifier(&at_exit);
    } else {
        QLIST_INSERT_AFTER(last, s, next);
    }
    last = s;
}

/* Check now, because at exit the report would be lost. */
bool spe_report_check(ARMSPEState *s, Error **errp)
{
    FILE *file = fopen(s->report_path, "w");

    if (!file) {
        error_setg_errno(errp, errno, "spe-report: cannot write %s",
                         s->report_path);
        return false;
    }
    fclose(file);
    return true;
}
