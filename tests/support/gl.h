/* gl.h: an OpenGL context without a window, for tests that share buffers with it. It is made by EGL on a device of the
 * machine; both libraries are opened at run time. */
#ifndef TEST_GL_H
#define TEST_GL_H

#include <stddef.h>

typedef struct test_gl {
    void *display; /* EGLDisplay */
    void *context; /* EGLContext, the thread's current one */
} test_gl;

/* How many devices EGL knows; 0 and *why a reason where there is no EGL. */
int test_gl_count(const char **why);
/* A context on device k, which becomes the thread's current one. NULL, or why there is none. */
const char *test_gl_open(int k, test_gl *out);
void test_gl_close(test_gl *gl);

/* A buffer object with these bytes; what it has now; its end. */
unsigned test_gl_buffer(const void *data, size_t bytes);
void test_gl_read(unsigned buffer, void *data, size_t bytes);
void test_gl_delete(unsigned buffer);
/* Waits until all that GL was asked for is done. */
void test_gl_finish(void);

#endif
