//! Gets what building the firmware needs, and builds it.
