#include "children.hpp"
#include "checks.hpp"
#include "serve.h"
#include "world.hpp"
#include <Bullet3Common/b3Logging.h>
#include <Bullet3OpenCL/Initialize/b3OpenCLUtils.h>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>

static const char *const TASK_NAMES[] = { "check", "time", "world" };

// The counters of the library, where it is preloaded.
static void keep_calls(Results &results)
{
    static const char *const names[] = SERVED_NAMES;
    const auto calls = reinterpret_cast<int64_t (*)(served)>(dlsym(RTLD_DEFAULT, SERVED_CALLS_NAME));
    for (int k = 0; calls && k < SERVED_COUNT; ++k)
        results.add(names[k], Kind::calls, static_cast<uint64_t>(calls(static_cast<served>(k))));
}

int run_task(const Options &options, Task task, const std::string &out)
{
    try {
        Results results;
        b3OpenCLUtils_setCachePath(options.folder.c_str());
        const Device device = open_device(options.device);
        switch (task) {
        case Task::check:
            check_primitives(device, results);
            break;
        case Task::time:
            time_primitives(device, results);
            break;
        case Task::world:
            run_world(device, options.bodies, options.steps, results);
            break;
        }
        keep_calls(results);
        return results.save(out) ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return EXIT_FAILURE;
    }
}

// The last lines of a log.
static std::string tail(const std::string &path)
{
    std::ifstream file(path);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    return text.size() > 500 ? text.substr(text.size() - 500) : text;
}

// Bullet says which kernels it compiles, so a child's output goes into a log. Exit status, or -1.
static int spawn(const std::vector<std::string> &arguments, const std::string &log)
{
    std::vector<char *> pointers;
    for (const std::string &argument : arguments) pointers.push_back(const_cast<char *>(argument.c_str()));
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child = 0;
    int status = -1;
    const int failed = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

Results run_child(const Options &options, Task task, bool preloaded)
{
    const std::string name = TASK_NAMES[static_cast<int>(task)];
    const std::string stem = options.folder + "/" + name + (preloaded ? "-moderncl" : "-bullet");
    const char *preload = std::getenv("LD_PRELOAD");
    const std::string before = preload ? preload : "";
    if (preloaded) setenv("LD_PRELOAD", (options.library + (preload ? ":" + before : "")).c_str(), 1);
    const int status = spawn({ "bullet_client", "--task", std::to_string(static_cast<int>(task)), "--out", stem,
                               "--device", options.device, "--bodies", std::to_string(options.bodies), "--steps",
                               std::to_string(options.steps), "--folder", options.folder },
                             stem + ".log");
    if (preload)
        setenv("LD_PRELOAD", before.c_str(), 1);
    else
        unsetenv("LD_PRELOAD");
    Results results;
    if (status != EXIT_SUCCESS || !results.load(stem))
        throw std::runtime_error(stem + ": the run failed:\n" + tail(stem + ".log"));
    return results;
}
