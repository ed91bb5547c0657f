#include "gl.h"

#include "base/base.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include <string.h>

enum { DEVICES_MAX = 16 };

/* The functions of the libraries that the tests use: member, type, name. The first list comes from the EGL library
 * itself, and gives the addresses of the others. */
#define LIBRARY_FUNCTIONS(X)                                                                                           \
    X(bind_api, PFNEGLBINDAPIPROC, "eglBindAPI")                                                                       \
    X(create_context, PFNEGLCREATECONTEXTPROC, "eglCreateContext")                                                     \
    X(destroy_context, PFNEGLDESTROYCONTEXTPROC, "eglDestroyContext")                                                  \
    X(address_of, PFNEGLGETPROCADDRESSPROC, "eglGetProcAddress")                                                       \
    X(initialize, PFNEGLINITIALIZEPROC, "eglInitialize")                                                               \
    X(make_current, PFNEGLMAKECURRENTPROC, "eglMakeCurrent")                                                           \
    X(terminate, PFNEGLTERMINATEPROC, "eglTerminate")
#define OTHER_FUNCTIONS(X)                                                                                             \
    X(query_devices, PFNEGLQUERYDEVICESEXTPROC, "eglQueryDevicesEXT")                                                  \
    X(get_display, PFNEGLGETPLATFORMDISPLAYEXTPROC, "eglGetPlatformDisplayEXT")                                        \
    X(gen_buffers, PFNGLGENBUFFERSPROC, "glGenBuffers")                                                                \
    X(bind_buffer, PFNGLBINDBUFFERPROC, "glBindBuffer")                                                                \
    X(buffer_data, PFNGLBUFFERDATAPROC, "glBufferData")                                                                \
    X(get_buffer_data, PFNGLGETBUFFERSUBDATAPROC, "glGetBufferSubData")                                                \
    X(delete_buffers, PFNGLDELETEBUFFERSPROC, "glDeleteBuffers")                                                       \
    X(finish, finish_function, "glFinish")

typedef void(APIENTRY *finish_function)(void);

static struct {
    int is_open;
#define X(member, type, name) type member;
    LIBRARY_FUNCTIONS(X)
    OTHER_FUNCTIONS(X)
#undef X
    EGLDeviceEXT devices[DEVICES_MAX];
    EGLint device_count;
} gl;

static const char *open_functions(void)
{
    static const char *const names[] = { "libEGL.so.1", "libEGL.so", NULL };
    void *const library = mcl__library_open(names);
    void *address;
    if (!library) return "there is no libEGL.so.1";
#define X(member, type, name)                                                                                          \
    address = mcl__library_symbol(library, name);                                                                      \
    if (!address) return "libEGL has no " name;                                                                        \
    memcpy(&gl.member, &address, sizeof address);
    LIBRARY_FUNCTIONS(X)
#undef X
#define X(member, type, name)                                                                                          \
    gl.member = (type)gl.address_of(name);                                                                             \
    if (!gl.member) return "EGL has no " name;
    OTHER_FUNCTIONS(X)
#undef X
    return NULL;
}

int test_gl_count(const char **why)
{
    if (gl.is_open) return gl.device_count;
    *why = open_functions();
    if (*why) return 0;
    gl.is_open = 1;
    if (!gl.query_devices(DEVICES_MAX, gl.devices, &gl.device_count)) gl.device_count = 0;
    if (gl.device_count == 0) *why = "EGL knows no device";
    return gl.device_count;
}

const char *test_gl_open(int k, test_gl *out)
{
    *out = (test_gl){ gl.get_display(EGL_PLATFORM_DEVICE_EXT, gl.devices[k], NULL), EGL_NO_CONTEXT };
    if (out->display == EGL_NO_DISPLAY || !gl.initialize(out->display, NULL, NULL)) return "EGL opens no display";
    if (gl.bind_api(EGL_OPENGL_API))
        out->context = gl.create_context(out->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, NULL);
    if (out->context != EGL_NO_CONTEXT && gl.make_current(out->display, EGL_NO_SURFACE, EGL_NO_SURFACE, out->context))
        return NULL;
    test_gl_close(out);
    return "EGL makes no OpenGL context without a surface";
}

void test_gl_close(test_gl *opened)
{
    (void)gl.make_current(opened->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (opened->context != EGL_NO_CONTEXT) (void)gl.destroy_context(opened->display, opened->context);
    (void)gl.terminate(opened->display);
}

unsigned test_gl_buffer(const void *data, size_t bytes)
{
    GLuint buffer = 0;
    gl.gen_buffers(1, &buffer);
    gl.bind_buffer(GL_ARRAY_BUFFER, buffer);
    gl.buffer_data(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, data, GL_DYNAMIC_DRAW);
    return buffer;
}

void test_gl_read(unsigned buffer, void *data, size_t bytes)
{
    gl.bind_buffer(GL_ARRAY_BUFFER, buffer);
    gl.get_buffer_data(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, data);
}

void test_gl_delete(unsigned buffer)
{
    gl.delete_buffers(1, &buffer);
}

void test_gl_finish(void)
{
    gl.finish();
}
