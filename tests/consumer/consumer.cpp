// consumer.cpp: the program of consumer.c, compiled as C++11.
#include "consumer.c"
