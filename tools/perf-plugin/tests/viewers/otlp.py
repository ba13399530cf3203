# SPDX-License-Identifier: GPL-2.0-only
#
# Reads OpenTelemetry's profiles with the published Python classes, checks what the published
# messages demand of a sender, and prints a line for each stack and value as pprof.mjs does:
# "TYPE/UNIT COMM PID TID OBJECT FRAME;FRAME;... VALUE".  First come the type of the first
# profile, the period, the resource, and when the profiles begin and how long they last.
#
#   /usr/bin/python3 otlp.py FILE		PYTHONPATH is what tools/setup/doc/otlp prints
import collections
import os
import sys
from opentelemetry.proto.collector.profiles.v1development import profiles_service_pb2 as service
from opentelemetry.proto.profiles.v1development import profiles_pb2 as profiles

content = open(sys.argv[1], "rb").read()
data = profiles.ProfilesData.FromString(content)
# A collector reads the same bytes as a request.
request = service.ExportProfilesServiceRequest.FromString(content)
assert list(request.resource_profiles) == list(data.resource_profiles)
assert request.dictionary == data.dictionary
d = data.dictionary
tables = {
    "string": d.string_table, "mapping": d.mapping_table, "location": d.location_table,
    "function": d.function_table, "link": d.link_table, "attribute": d.attribute_table,
    "stack": d.stack_table,
}
used = {name: {0} for name in tables}


def item(name, index):
    """The item that an index names, which is then no orphan"""
    assert 0 <= index < len(tables[name]), f"index {index} of the table of {name}s"
    used[name].add(index)
    return tables[name][index]


def attributes(indices):
    assert len(set(indices)) == len(indices), "an attribute twice"
    found = {}
    for index in indices:
        assert index, "an attribute that is none"
        a = item("attribute", index)
        key = item("string", a.key_strindex)
        assert key and key not in found, f"the key {key}"
        item("string", a.unit_strindex)
        kind = a.value.WhichOneof("value")
        assert kind in ("string_value", "int_value"), f"{key} has a value of the kind {kind}"
        found[key] = str(getattr(a.value, kind))
    return found


def value_type(t):
    kind, unit = item("string", t.type_strindex), item("string", t.unit_strindex)
    assert kind and unit, "a type without a name or unit"
    return f"{kind}/{unit}"


for name, table in tables.items():
    assert len(table), f"the table of {name}s is empty"
    zero = table[0] if name == "string" else table[0].SerializeToString()
    assert not zero, f"the first of the {name}s is not empty"
    whole = list(table) if name == "string" else [m.SerializeToString() for m in table]
    assert len(set(whole)) == len(whole), f"{name}s are there twice"

sums = collections.Counter()
heads = []
for of_resource in data.resource_profiles:
    resource = {a.key: a.value.string_value for a in of_resource.resource.attributes}
    assert len(resource) == len(of_resource.resource.attributes) and all(resource)
    for of_scope in of_resource.scope_profiles:
        assert of_scope.scope.name
        for p in of_scope.profiles:
            kind = value_type(p.sample_type)
            if p.period:
                value_type(p.period_type)
            assert len(p.samples), f"the profile of {kind} has no samples"
            heads.append((kind, p.period, p.time_unix_nano, p.duration_nano, str(sorted(resource.items()))))
            seen = set()
            for s in p.samples:
                identity = (s.stack_index, frozenset(s.attribute_indices), s.link_index)
                assert identity not in seen, "two samples of one identity"
                seen.add(identity)
                assert len(s.values) == 1 and not s.timestamps_unix_nano
                item("link", s.link_index)
                owner = attributes(s.attribute_indices)
                frames = []
                objects = []
                for at in item("stack", s.stack_index).location_indices:
                    assert at, "a location that is none"
                    location = item("location", at)
                    mapping = item("mapping", location.mapping_index)
                    attributes(mapping.attribute_indices)
                    attributes(location.attribute_indices)
                    assert mapping.memory_start <= location.address <= mapping.memory_limit
                    objects.append(item("string", mapping.filename_strindex))
                    for line in location.lines:
                        assert line.function_index, "a line without a function"
                        f = item("function", line.function_index)
                        item("string", f.system_name_strindex)
                        file = item("string", f.filename_strindex)
                        frame = item("string", f.name_strindex)
                        frames.append(f"{frame}@{os.path.basename(file)}:{line.line}" if file else frame)
                who = " ".join(owner.get(key, "-") for key in ("thread.name", "process.pid", "thread.id"))
                sums[f"{kind} {who} {objects[0] if objects else '-'} {';'.join(reversed(frames))}"] += s.values[0]

for name, table in tables.items():
    orphans = set(range(len(table))) - used[name]
    assert not orphans, f"{name}s that nothing names: {sorted(orphans)[:5]}"
assert len(set(h[1:] for h in heads)) == 1, f"the profiles differ in their heads: {heads}"
assert len(set(h[0] for h in heads)) == len(heads), "two profiles of a value"
kind, period, time, duration, resource = heads[0]
print(f"first {kind.split('/')[0]}, period {period}")
print(f"time {time} {duration} {resource}")
for key in sorted(sums):
    print(key, sums[key])
