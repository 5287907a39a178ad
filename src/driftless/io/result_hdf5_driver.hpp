#pragma once
// Writing HDF5 to a disk that may fail.
//
// HDF5 does not survive a failed write: 1.10 crashes when it later closes the file (seen with a
// full disk, in H5Fclose and at exit), and that would take the simulation with it. So files are
// written through a driver that never tells HDF5: at the first failure it stores errno, and from
// then on every write goes to memory instead, where HDF5 can read it back. The caller looks at the
// stored errno and throws the file away.

#include <hdf5.h>

namespace driftless::h5 {

/// Makes files that are created with `access` use the driver. `problem` (0: none yet) must outlive
/// the file.
void set_tolerant_driver(hid_t access, int* problem);

}  // namespace driftless::h5
