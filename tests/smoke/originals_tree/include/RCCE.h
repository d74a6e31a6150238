#error "the distribution's own RCCE.h was included; the wrapper's must come first"
