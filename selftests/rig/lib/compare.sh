# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Compares, for one guest, what the model wrote, what perf stored and what perf-spe
# decodes.  Sourced by check-guest.

# Records as lines of hexadecimal digits, sorted: from the model's log, from
# stock perf's dump (made in the guest) and from ours.  Padding between records is left out.
records_of_model() { awk '$2 != "-" { print tolower($4) }' "$1" | sort; }

records_of_perf() { # DUMP...
	zcat "$@" | awk '
		/^\.  [0-9a-f]+: / {
			at = index($0, ":")
			bytes = substr($0, at + 1, 49)
			text = substr($0, at + 51)
			gsub(/ /, "", bytes)
			if (text ~ /^PAD/ && record == "")
				next
			record = record bytes
			if (text ~ /^(TS [0-9]+|END) *$/) {
				print record
				record = ""
			}
		}
		END { if (record != "") print "cut " record }' | sort
}

records_of_ours() { # FILE...
	local file
	for file in "$@"; do "$spe" dump -i "$file"; done | awk '
		/^[0-9a-f]+: / {
			bytes = ""
			for (i = 2; i <= NF && $i ~ /^[0-9a-f][0-9a-f]$/; i++)
				bytes = bytes $i
			if ($i == "PADDING" && record == "")
				next
			record = record bytes
			if ($i == "TIMESTAMP" || $i == "END") {
				print record
				record = ""
			}
		}
		END { if (record != "") print "cut " record }' | sort
}

same_and_some() { # FILE FILE: equal and not empty
	[ -s "$1" ] && cmp -s "$1" "$2"
}

sum_of() { # FILE JQ-PATH: over all PEs of the model's report
	jq "[.pe[] | $2] | add" "$1"
}

# A file's records are the same bytes in stock perf's dump and in ours, and each
# packet has the same meaning in both.
compare_tools() { # NAME
	local dir=$runs/$1 file base rc
	for file in "$dir"/files/*.data; do
		base=$(basename "$file" .data)
		records_of_perf "${file%.data}.dump.gz" >"$dir/$base.perf" || true
		records_of_ours "$file" >"$dir/$base.ours" || true
		verdict "$1: $base.data: stock perf and perf-spe show the same $(wc -l <"$dir/$base.perf") records" \
			same_and_some "$dir/$base.perf" "$dir/$base.ours"
		rc=0
		"$rig/judge/same-words" "$spe" "$file" "${file%.data}.dump.gz" >"$dir/$base.words" || rc=$?
		verdict "$1: $base.data: and say the same of each packet ($(tail -n 1 "$dir/$base.words"))" \
			[ "$rc" -eq 0 ]
		[ "$rc" -eq 0 ] || sed 's/^/    /' "$dir/$base.words"
	done
}

# The samples that stock perf makes of a file's records say what ours say.
compare_samples() { # NAME BASE
	local base=$runs/$1/files/$2 out=$runs/$1/$2.samples rc=0
	"$SPE_TOP/tools/perf-plugin/tests/same-samples" "$spe" "$base.data" "$base.script.gz" >"$out" || rc=$?
	verdict "$1: $2.data: perf script and perf-spe have the same $(tail -n 1 "$out"), field by field" \
		[ "$rc" -eq 0 ]
	[ "$rc" -eq 0 ] || sed 's/^/    /' "$out"
}

no_faults() { # NAME [EVENT...]: the model has reported full buffers alone, and perhaps EVENT
	local report=$runs/$1/model.json kind count
	for kind in stage1_fault stage2_fault external_abort access_not_allowed buffer_too_large; do
		[[ " ${*:2} " != *" $kind "* ]] || continue
		count=$(sum_of "$report" ".events.$kind")
		verdict "$1: the model reports no $kind ($count)" [ "$count" -eq 0 ]
	done
}

# The model has ignored no write of a register of the buffer (R24557 of the known issues in the
# Arm ARM), has seen none that comes too early, and no pointer that leaves no room for a record.
# A guest without an SPU has no report.
no_ignored_writes() { # NAME
	local dir=$runs/$1 kind count
	[ -s "$dir/model.json" ] || return 0
	for kind in ignored_writes unordered_writes illegal_pointers; do
		count=$(sum_of "$dir/model.json" ".misuse.$kind")
		verdict "$1: the model reports no $kind ($count)" [ "$count" -eq 0 ]
	done
	# The lines of one instruction differ in the PE and the value only.
	cat "$dir"/{qemu.txt,trace.log} 2>/dev/null | grep '^SPE: .*(R24557)$' |
		sed 's/PE [0-9]* /PE /; s/ = 0x[0-9a-f]*:/:/; s/^/    /' | sort | uniq -c | sort -rn | head -n 12 || true
}

saw_faults() { # NAME: the model has raised what the tests were about
	local report=$runs/$1/model.json kind count
	for kind in buffer_full stage1_fault gpc_fault external_abort access_not_allowed \
		buffer_too_large imp_def; do
		count=$(sum_of "$report" ".events.$kind")
		verdict "$1: the model reports $kind ($count)" [ "$count" -gt 0 ]
	done
}

# What perf stored of each recording with a filter is what the filter lets pass
# of all that was sampled meanwhile: the log has what was dropped too, and with
# each line the registers, which are another set for each recording.
compare_filters() { # NAME
	local dir=$runs/$1 file words set n all
	[ -r "$dir/files/filters.txt" ] || return 0
	while read -r file words; do
		records_of_perf "$dir/files/$file.dump.gz" >"$dir/$file.stored" || true
		set=$(grep -m 1 -F " $(head -n 1 "$dir/$file.stored") " "$dir/model.log" | cut -d ' ' -f 5) || true
		awk -v "set=${set:-none}" '$5 == set { print $4 }' "$dir/model.log" >"$dir/$file.sampled"
		"$SPE_BUILD/inside" "$words" <"$dir/$file.sampled" | sort >"$dir/$file.inside" || true
		n=$(wc -l <"$dir/$file.inside") all=$(wc -l <"$dir/$file.sampled")
		verdict "$1: $words: the $n of $all samples inside it are stored, and nothing else" \
			same_and_some "$dir/$file.inside" "$dir/$file.stored"
		verdict "$1: $words: it drops something" [ "$n" -lt "$all" ]
	done <"$dir/files/filters.txt"
}

# What the model wrote is what perf-spe decodes of all recordings together.
compare_decoded() { # NAME
	local dir=$runs/$1 written file
	records_of_model "$dir/model.log" >"$dir/all.model" || true
	records_of_ours "$dir"/files/*.data >"$dir/all.ours" || true
	written=$(sum_of "$dir/model.json" .records)
	verdict "$1: at least 1000 records ($written)" [ "$written" -ge 1000 ]
	verdict "$1: each record written is in perf-spe's dump, byte for byte" \
		same_and_some "$dir/all.model" "$dir/all.ours"
	"$SPE_BUILD/values" <"$dir/all.model" | sort >"$dir/values.model" || true
	for file in "$dir"/files/*.data; do
		"$spe" export -i "$file" --format csv --fields "$("$SPE_BUILD/values" --fields)" |
			tr -d '\r' | tail -n +2
	done | sort >"$dir/values.ours" || true
	verdict "$1: and in its export, value for value ($("$SPE_BUILD/values" --fields | tr , '\n' | wc -l) fields)" \
		same_and_some "$dir/values.model" "$dir/values.ours"
}

# Everything the model wrote, against everything stored and decoded.
compare_records() { # NAME
	local dir=$runs/$1 written decoded=0 stored flagged=0 file n full
	compare_decoded "$1"
	records_of_perf "$dir"/files/*.dump.gz >"$dir/all.perf" || true
	written=$(sum_of "$dir/model.json" .records)
	stored=$(wc -l <"$dir/all.perf")
	for file in "$dir"/files/*.data; do
		n=$("$spe" report --summary -i "$file" | awk '$1 == "records:" { print $2 }') || true
		decoded=$((decoded + ${n:-0}))
		[ "${file##*/}" != small.data ] || continue
		n=$(zgrep -cE 'PERF_RECORD_AUX .*flags: (0x)?[0-9a-f]*[1-9a-f]' "${file%.data}.dump.gz" || true)
		flagged=$((flagged + n))
	done
	verdict "$1: no big buffer was truncated ($flagged flagged)" [ "$flagged" -eq 0 ]
	verdict "$1: written ($written) = stored ($stored)" [ "$written" -eq "$stored" ]
	verdict "$1: written ($written) = decoded ($decoded)" [ "$written" -eq "$decoded" ]
	verdict "$1: each record written is in stock perf's dump, byte for byte" \
		same_and_some "$dir/all.model" "$dir/all.perf"
	full=$(sum_of "$dir/model.json" .events.buffer_full)
	n=$(sum_of "$dir/model.json" .bytes)
	# A buffer of 64 KiB ends every 32 KiB; none is shorter than a page.
	verdict "$1: buffers filled $full times for $n bytes" \
		[ "$full" -ge 1 -a "$full" -le $((n / 4096 + 1)) ]
	verdict "$1: bytes are the records' own ($n)" \
		[ "$(awk '{ n += length($1) / 2 } END { print n + 0 }' "$dir/all.model")" -eq "$n" ]
	no_faults "$1"
}
