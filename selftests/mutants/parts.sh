# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2086,SC2154
#
# The files that are mutated, and the tests of each.  Sourced by run.

all_files() {
	printf "$driver/%s.c\n" caps attr limit rate syndrome budget window decode
	printf "$library/%s.c\n" packet record shape columns fill resync op event source text encode
	printf "$model/%s.c\n" insn/{insn,fields,ldst,simd,sme,sve,sve-data} memory/cache record/record \
		config/features
}

part_of() { # FILE
	case $1 in
	"$driver"/*) echo driver ;;
	"$library"/*) echo library ;;
	*) echo model ;;
	esac
}

compile() { # PART ARGUMENT...
	local part=$1
	shift
	case $part in
	driver) set -- -D_GNU_SOURCE -I"$SPE_TOP/include" -I"$SPE_TOP/$driver" "$@" ;;
	library) set -- -I"$SPE_TOP/include" -I"$SPE_TOP/$library" "$@" ;;
	# A mutant lies elsewhere, and includes headers by their place beside the file.
	model) set -- -DSPE_HOST_TEST -I"$SPE_TOP/$model" -iquote "$SPE_TOP/$model/insn" -iquote "$SPE_TOP/$model/memory" \
		-iquote "$SPE_TOP/$model/record" -iquote "$SPE_TOP/$model/config" "$@" ;;
	esac
	$cc -std=c11 "$@"
}

programs_of() { # PART FILE
	case $1:$2 in
	*/limit.c) echo limit traffic ;;
	*/rate.c) echo rate rate_law ;;
	driver:*) basename "$2" .c ;;
	library:*) echo unit ;;
	model:*) echo host-test ;;
	esac
}

# What a program is linked from besides the mutant: the linker takes from the archive only
# what the mutant does not define.
rest_of() { # PART VARIANT PROGRAM
	case $1 in
	driver) echo "$out/driver/$2-$3.o $out/driver/$2-test.o" ;;
	library) echo "$out/library/$2-tests.o $out/library/$2.a" ;;
	model) echo "$out/model/$2-tests.o $out/model/$2.a" ;;
	esac
}

arguments_of() { [ "$1" != model ] || echo "$out/model/words.bin"; } # PART

# variants COMMAND...: runs COMMAND twice, with the variant's name and its flags appended.
variants() {
	"$@" plain -O1
	"$@" san -O1 -g $sanitizers
}

prepare_driver() { variants driver_tests; }

driver_tests() { # VARIANT FLAG...
	local name tests=$SPE_TOP/selftests/host
	for name in test caps attr limit traffic rate rate_law syndrome budget window decode; do
		compile driver -I"$tests" "${@:2}" -c -o "$out/driver/$1-$name.o" "$tests/$name.c"
	done
}

prepare_library() { variants library_tests; }

# Leaves out the cases that need perf-spe.
library_tests() { # VARIANT FLAG...
	local name tests=$SPE_TOP/tools/perf-plugin/tests/unit dir=$out/library/$1
	mkdir -p "$dir"
	for name in test random {packet,op,text,source,record,bounds,layout,fill,scan,encode,columns,resync,roundtrip,hostile,real,d18}_test; do
		compile library -DLIBRARY_ONLY "${@:2}" -c -o "$dir/test-$name.o" "$tests/$name.c"
	done
	ld -r -o "$out/library/$1-tests.o" "$dir"/test-*.o
	archive library "$library" "$@"
}

archive() { # PART FOLDER VARIANT FLAG...
	local file object
	rm -f "$out/$1/$3.a"
	for file in $(all_files | grep "^$2/"); do
		object=$out/$1/$3/$(basename "$file" .c).o
		compile "$1" "${@:4}" -c -o "$object" "$SPE_TOP/$file"
		ar rc "$out/$1/$3.a" "$object"
	done
}

prepare_model() {
	local tests=$SPE_TOP/tools/qemu-spe/tests/host
	"${CROSS_CC:-$ARM64_CC}" -c -o "$out/model/words.o" "$tests/words.c"
	"${ARM64_PREFIX}objcopy" -O binary -j .text "$out/model/words.o" "$out/model/words.bin"
	variants model_tests
}

model_tests() { # VARIANT FLAG...
	local name tests=$SPE_TOP/tools/qemu-spe/tests/host dir=$out/model/$1
	mkdir -p "$dir"
	for name in test operands predicates records features caches; do
		compile model "${@:2}" -c -o "$dir/test-$name.o" "$tests/$name.c"
	done
	ld -r -o "$out/model/$1-tests.o" "$dir"/test-*.o
	archive model "$model" "$@"
}

part_functions() { compgen -A function | grep -E '_of$|^compile$|^all_files$'; }
