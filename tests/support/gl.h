/* gl.h: an OpenGL context without a window, for tests that share buffers with it. EGL makes the context on a device of
 * the machine. Both libraries are opened at run time. */
#ifndef TEST_GL_H
#define TEST_GL_H

#include <stddef.h>

typedef struct test_gl {
    void *display; /* EGLDisplay */
    void *context; /* EGLContext, which is the thread's current one */
} test_gl;

/* Returns the number of devices that EGL knows. Where there is no EGL it returns 0, and *why becomes the reason. */
int test_gl_count(const char **why);
/* Makes a context on device k, and makes it the thread's current one. Returns NULL, or the reason why there is none. */
const char *test_gl_open(int k, test_gl *out);
void test_gl_close(test_gl *gl);

/* Make a buffer object with these bytes; read its bytes; delete it. */
unsigned test_gl_buffer(const void *data, size_t bytes);
void test_gl_read(unsigned buffer, void *data, size_t bytes);
void test_gl_delete(unsigned buffer);
/* Waits until GL has done all its work. */
void test_gl_finish(void);

#endif
