"""The technician's report: a run of checks comes in as data; HTML, PDF, JSON and JUnit files go out, signed as one."""
