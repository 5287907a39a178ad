#pragma once
// Everything a program that uses Driftless needs.

#include "driftless/assembly/check.hpp"
#include "driftless/assembly/start.hpp"
#include "driftless/base/build_info.hpp"
#include "driftless/base/error.hpp"
#include "driftless/equations/compile.hpp"
#include "driftless/equations/functions.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/io/page.hpp"
#include "driftless/io/result_files.hpp"
#include "driftless/run/method.hpp"
#include "driftless/run/method_reader.hpp"
#include "driftless/run/prepare.hpp"
#include "driftless/run/simulate.hpp"
