/*
 * Arm Statistical Profiling Extension: the property spe-unlike, with which
 * single PEs differ from the others.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "qemu/notify.h"
#include "hw/boards.h"
#include "system/system.h"
#include "cpu.h"
#include "properties.h"

/* The number of clusters that QEMU distinguishes in translated code */
#define SPE_UNLIKE_PES 255

static bool has_option(const char *name)
{
    SPE_OPTION_FOREACH(o) {
        if (!strcmp(o->name, name)) {
            return true;
        }
    }
    return !strcmp(name, "spe");
}

/* Sets one "name=value" of this PE. */
static bool set_unlike(ARMSPEState *s, char *field, Error **errp)
{
    char *value = strchr(field, '=');

    if (value) {
        *value++ = 0;
    }
    if (!value || !has_option(field)) {
        error_setg(errp, "spe-unlike: \"%s\" is not NAME=VALUE of a property "
                   "that can differ per PE, such as spe=off", field);
        return false;
    }
    return object_property_parse(OBJECT(s->cpu), field, value, errp);
}

typedef struct OwnCode {
    Notifier machine_done;
    CPUState *cpu;
    int cluster;
} OwnCode;

/* The debugger must see the real clusters, so restore them. */
static void back_to_cluster(Notifier *notifier, void *data)
{
    OwnCode *own = container_of(notifier, OwnCode, machine_done);

    own->cpu->cluster_index = own->cluster;
    notifier_remove(notifier);
    g_free(own);
}

/*
 * PEs of a cluster share translated code, and that code depends on ID
 * registers and on the table of System registers.  When QEMU realizes a PE, it
 * takes the PE's cluster as the one whose code the PE shares.  So give this PE
 * a cluster of its own until then.
 */
static void translate_apart(CPUState *cpu)
{
    OwnCode *own = g_new0(OwnCode, 1);

    own->cpu = cpu;
    own->cluster = cpu->cluster_index;
    own->machine_done.notify = back_to_cluster;
    qemu_add_machine_init_done_notifier(&own->machine_done);
    cpu->cluster_index = cpu->cpu_index;
}

bool spe_config_unlike(ARMSPEState *s, Error **errp)
{
    g_auto(GStrv) all = g_strsplit(s->unlike, ";", -1);
    unsigned last = current_machine->smp.max_cpus - 1, pe;

    for (int i = 0; all[i]; i++) {
        g_auto(GStrv) fields = g_strsplit_set(all[i], ",:", -1);

        if (!fields[0] || !g_str_has_prefix(fields[0], "pe=") ||
            qemu_strtoui(fields[0] + 3, NULL, 10, &pe) < 0) {
            error_setg(errp, "spe-unlike: \"%s\" must begin with pe=N",
                       all[i]);
            return false;
        }
        if (pe > last || pe >= SPE_UNLIKE_PES) {
            error_setg(errp, "spe-unlike: PE %u does not exist or cannot "
                       "differ: the last possible PE is %u", pe,
                       MIN(last, SPE_UNLIKE_PES - 1));
            return false;
        }
        if (pe != CPU(s->cpu)->cpu_index) {
            continue;
        }
        translate_apart(CPU(s->cpu));
        for (int j = 1; fields[j]; j++) {
            if (!set_unlike(s, fields[j], errp)) {
                return false;
            }
        }
    }
    return true;
}
