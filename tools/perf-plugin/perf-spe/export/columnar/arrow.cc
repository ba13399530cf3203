// SPDX-License-Identifier: GPL-2.0-only
/*
 * This is C++ because Arrow's library is.  It passes the caller's arrays to the
 * library without copying them.  Only dictionaries are copied, because the library
 * keeps them to find new texts in the next batch.
 */
#include <arrow/api.h>
#include <arrow/io/buffered.h>
#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <arrow/util/key_value_metadata.h>
#include <arrow/util/thread_pool.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "export/columnar/arrow.h"

namespace {

/* Columns are small: buffer so many bytes per write(2). */
constexpr std::int64_t BUFFERED = 1024 * 1024;

using arrow::Status;

struct layout {
	std::size_t bytes;		/* of a value */
	std::shared_ptr<arrow::DataType> type, numbers;
};

/* @numbers is the type of the values: for texts of their index, otherwise that of the column. */
struct layout layout_of(enum arrow_type type)
{
	auto text = [](std::size_t bytes, std::shared_ptr<arrow::DataType> n) {
		return layout{ bytes, arrow::dictionary(n, arrow::utf8()), n };
	};
	auto number = [](std::size_t bytes, std::shared_ptr<arrow::DataType> n) {
		return layout{ bytes, n, n };
	};

	switch (type) {
	case ARROW_U8:
		return number(1, arrow::uint8());
	case ARROW_U16:
		return number(2, arrow::uint16());
	case ARROW_U32:
		return number(4, arrow::uint32());
	case ARROW_S64:
		return number(8, arrow::int64());
	case ARROW_U64:
		return number(8, arrow::uint64());
	case ARROW_F64:
		return number(8, arrow::float64());
	case ARROW_TEXT8:
		return text(1, arrow::int8());
	case ARROW_TEXT16:
		return text(2, arrow::int16());
	case ARROW_TEXT32:
		break;
	}
	return text(4, arrow::int32());
}

std::shared_ptr<arrow::Buffer> borrow(const void *bytes, std::size_t len)
{
	return std::make_shared<arrow::Buffer>(
		static_cast<const std::uint8_t *>(bytes),
		static_cast<std::int64_t>(len));
}

/* Copy the texts of a column to an Arrow array. */
arrow::Result<std::shared_ptr<arrow::Array>>
dictionary_of(const struct arrow_column &c)
{
	arrow::StringBuilder texts;
	std::int32_t begin = 0;

	for (std::size_t i = 0; i < c.nr_texts; i++) {
		ARROW_RETURN_NOT_OK(texts.Append(c.bytes + begin,
						 c.end[i] - begin));
		begin = c.end[i];
	}
	return texts.Finish();
}

bool is_text(const struct arrow_column &c)
{
	return c.type == ARROW_TEXT8 || c.type == ARROW_TEXT16 ||
	       c.type == ARROW_TEXT32;
}

/*
 * Times and offsets grow slowly, so store differences; other values repeat.
 * Readers skip row groups by the least and greatest value of a column.  Of texts each
 * row group has nearly all, and to find these two takes an eighth of the time.
 */
std::shared_ptr<parquet::WriterProperties>
encodings(const struct arrow_column *columns, std::size_t count)
{
	parquet::WriterProperties::Builder builder;

	builder.compression(parquet::Compression::ZSTD);
	builder.compression_level(1);
	for (std::size_t i = 0; i < count; i++) {
		if (is_text(columns[i]))
			builder.disable_statistics(columns[i].name);
		if (columns[i].type != ARROW_S64)
			continue;
		builder.disable_dictionary(columns[i].name);
		builder.encoding(columns[i].name,
				 parquet::Encoding::DELTA_BINARY_PACKED);
	}
	return builder.build();
}

char *error_text(const Status &status)
{
	return status.ok() ? nullptr : strdup(status.message().c_str());
}

} // namespace

struct arrow_file {
	std::shared_ptr<arrow::Schema> schema;
	std::shared_ptr<arrow::io::OutputStream> out;
	std::shared_ptr<arrow::ipc::RecordBatchWriter> ipc;
	std::unique_ptr<parquet::arrow::FileWriter> parquet;
	/* Of the last batch, used again while they have not grown */
	std::vector<std::shared_ptr<arrow::Array>> dictionaries;

	Status begin(const char *path, bool to_parquet, unsigned int threads,
		     const struct arrow_column *columns, std::size_t count,
		     const struct arrow_note *notes, std::size_t nr_notes)
	{
		arrow::FieldVector fields;
		auto metadata = std::make_shared<arrow::KeyValueMetadata>();

		for (std::size_t i = 0; i < count; i++)
			fields.push_back(arrow::field(columns[i].name,
						      layout_of(columns[i].type).type));
		for (std::size_t i = 0; i < nr_notes; i++)
			metadata->Append(notes[i].name, notes[i].value);
		schema = arrow::schema(fields, metadata);
		dictionaries.resize(count);
		ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::FileOutputStream::Open(path));
		ARROW_ASSIGN_OR_RAISE(out, arrow::io::BufferedOutputStream::Create(
			BUFFERED, arrow::default_memory_pool(), file));
		if (to_parquet) {
			return begin_parquet(threads, encodings(columns, count),
					     metadata);
		}
		auto options = arrow::ipc::IpcWriteOptions::Defaults();
		options.emit_dictionary_deltas = true;
		ARROW_ASSIGN_OR_RAISE(ipc, arrow::ipc::MakeFileWriter(out, schema,
								      options));
		return Status::OK();
	}

	Status begin_parquet(unsigned int threads,
			     const std::shared_ptr<parquet::WriterProperties> &properties,
			     const std::shared_ptr<const arrow::KeyValueMetadata> &metadata)
	{
		parquet::ArrowWriterProperties::Builder builder;

		if (threads > 1) {
			ARROW_RETURN_NOT_OK(arrow::SetCpuThreadPoolCapacity(
				static_cast<int>(threads)));
			builder.set_use_threads(true);
		}
		ARROW_ASSIGN_OR_RAISE(parquet, parquet::arrow::FileWriter::Open(
			*schema, arrow::default_memory_pool(), out, properties,
			builder.build()));
		return parquet->AddKeyValueMetadata(metadata);
	}

	arrow::Result<std::shared_ptr<arrow::Array>>
	array(const struct arrow_column &c, std::size_t i, std::size_t rows)
	{
		const struct layout layout = layout_of(c.type);
		std::shared_ptr<arrow::Buffer> valid;

		if (c.absent)
			valid = borrow(c.valid, (rows + 7) / 8);
		std::shared_ptr<arrow::Array> numbers = arrow::MakeArray(arrow::ArrayData::Make(
			layout.numbers, static_cast<std::int64_t>(rows),
			{ valid, borrow(c.values, rows * layout.bytes) },
			static_cast<std::int64_t>(c.absent)));
		if (layout.type == layout.numbers)
			return numbers;
		if (parquet || !dictionaries[i] ||
		    dictionaries[i]->length() != static_cast<std::int64_t>(c.nr_texts)) {
			ARROW_ASSIGN_OR_RAISE(dictionaries[i], dictionary_of(c));
		}
		return std::make_shared<arrow::DictionaryArray>(layout.type, numbers,
								dictionaries[i]);
	}

	Status write(const struct arrow_column *columns, std::size_t rows)
	{
		arrow::ArrayVector arrays;

		for (std::size_t i = 0; i < dictionaries.size(); i++) {
			ARROW_ASSIGN_OR_RAISE(auto a, array(columns[i], i, rows));
			arrays.push_back(a);
		}
		auto batch = arrow::RecordBatch::Make(
			schema, static_cast<std::int64_t>(rows), arrays);
		if (!parquet)
			return ipc->WriteRecordBatch(*batch);
		/* A buffered row group is the only one whose columns threads may encode. */
		ARROW_RETURN_NOT_OK(parquet->NewBufferedRowGroup());
		return parquet->WriteRecordBatch(*batch);
	}

	Status end()
	{
		ARROW_RETURN_NOT_OK(parquet ? parquet->Close() : ipc->Close());
		return out->Close();
	}
};

/* Turn C++ exceptions into an error text, as the callers are C. */
template <typename F> static char *guard(F &&act)
{
	try {
		return error_text(act());
	} catch (const std::exception &e) {
		return strdup(e.what());
	}
}

char *arrow_begin(struct arrow_file **file, const char *path, bool parquet,
		  unsigned int threads,
		  const struct arrow_column *columns, size_t count,
		  const struct arrow_note *notes, size_t nr_notes)
{
	auto f = std::make_unique<struct arrow_file>();
	char *why = guard([&] {
		return f->begin(path, parquet, threads, columns, count, notes,
				nr_notes);
	});

	*file = why ? nullptr : f.release();
	return why;
}

char *arrow_write(struct arrow_file *file, const struct arrow_column *columns,
		  size_t rows)
{
	return guard([&] { return file->write(columns, rows); });
}

char *arrow_end(struct arrow_file *file)
{
	std::unique_ptr<struct arrow_file> f(file);

	return guard([&] { return f->end(); });
}
