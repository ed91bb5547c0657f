// water.cpp: an OpenMM program like any other: a box of water, whose energies it prints. Of moderncl it knows the
// counter alone. PLATFORM and DEVICE are OpenMM's numbers of them; "": OpenMM chooses.
// usage: openmm_water PLATFORM DEVICE MOLECULES_ALONG_EDGE STEPS REPORTS
#include "program.hpp"
#include <OpenMM.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace OpenMM;

namespace
{
// TIP3P: W. L. Jorgensen et al., J. Chem. Phys. 79, 926 (1983).
constexpr double OH = 0.09572, ANGLE = 104.52 * M_PI / 180, OXYGEN = -0.834, SIGMA = 0.315061, EPSILON = 0.6364;
constexpr double MOLECULES_IN_NM3 = 33.4; // at 1 bar and 300 K

// A direction with the same chance as any other.
Vec3 direction(Random &random)
{
    const double z = 2 * random.next() - 1, turn = 2 * M_PI * random.next(), radius = std::sqrt(1 - z * z);
    return Vec3(radius * std::cos(turn), radius * std::sin(turn), z);
}

// Molecules on a lattice, turned at random.
std::vector<Vec3> fill(System &system, NonbondedForce &force, int edge)
{
    const double spacing = std::cbrt(1 / MOLECULES_IN_NM3), HH = 2 * OH * std::sin(ANGLE / 2);
    std::vector<Vec3> positions;
    Random random;
    for (int k = 0; k < edge * edge * edge; ++k) {
        const int oxygen = system.addParticle(15.9994), one = system.addParticle(1.008);
        const int two = system.addParticle(1.008);
        force.addParticle(OXYGEN, SIGMA, EPSILON);
        force.addParticle(-OXYGEN / 2, 1, 0);
        force.addParticle(-OXYGEN / 2, 1, 0);
        system.addConstraint(oxygen, one, OH);
        system.addConstraint(oxygen, two, OH);
        system.addConstraint(one, two, HH);
        force.addException(oxygen, one, 0, 1, 0);
        force.addException(oxygen, two, 0, 1, 0);
        force.addException(one, two, 0, 1, 0);
        const Vec3 place = Vec3(k % edge, k / edge % edge, k / edge / edge) * spacing, along = direction(random);
        Vec3 across = along.cross(direction(random));
        across /= std::sqrt(across.dot(across));
        positions.push_back(place);
        for (const double side : { 1.0, -1.0 })
            positions.push_back(place + (along * std::cos(ANGLE / 2) + across * (side * std::sin(ANGLE / 2))) * OH);
    }
    const double width = edge * spacing;
    system.setDefaultPeriodicBoxVectors(Vec3(width, 0, 0), Vec3(0, width, 0), Vec3(0, 0, width));
    force.setNonbondedMethod(NonbondedForce::PME);
    force.setCutoffDistance(0.9);
    return positions;
}

void simulate(const std::map<std::string, std::string> &device, int edge, int steps, int reports)
{
    System system;
    NonbondedForce *force = new NonbondedForce; // the system's
    const std::vector<Vec3> positions = fill(system, *force, edge);
    system.addForce(force);
    VerletIntegrator integrator(0.001);
    Context context(system, integrator, Platform::getPlatformByName("OpenCL"), device);
    context.setPositions(positions);
    context.setVelocitiesToTemperature(300, 1);
    for (int report = 0; report <= reports; ++report) {
        const double start = now_milliseconds(), spent = processor_milliseconds();
        if (report > 0) integrator.step(steps / reports);
        const State state = context.getState(State::Energy);
        if (report > 1) { // OpenMM compiles until the first report
            print("time", "a step", (now_milliseconds() - start) / (steps / reports));
            print("processor", "a step", (processor_milliseconds() - spent) / (steps / reports));
        }
        const std::string name = "after " + std::to_string(report * (steps / reports)) + " steps";
        print("energy", "potential, " + name, state.getPotentialEnergy());
        print("energy", "total, " + name, state.getPotentialEnergy() + state.getKineticEnergy());
    }
}
} // namespace

int main(int argument_count, char **arguments)
{
    if (argument_count != 6) {
        std::fputs("usage: openmm_water PLATFORM DEVICE MOLECULES_ALONG_EDGE STEPS REPORTS\n", stderr);
        return 2;
    }
    try {
        Platform::loadPluginsFromDirectory(OPENMM_PLUGINS);
        simulate({ { "OpenCLPlatformIndex", arguments[1] }, { "DeviceIndex", arguments[2] } }, std::atoi(arguments[3]),
                 std::atoi(arguments[4]), std::atoi(arguments[5]));
        print_calls();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "openmm_water: %s\n", error.what());
        return 1;
    }
}
