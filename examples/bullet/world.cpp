#include "world.hpp"
#include <Bullet3Collision/BroadPhaseCollision/b3DynamicBvhBroadphase.h>
#include <Bullet3Collision/NarrowPhaseCollision/b3Config.h>
#include <Bullet3Collision/NarrowPhaseCollision/b3Contact4.h>
#include <Bullet3Collision/NarrowPhaseCollision/shared/b3RigidBodyData.h>
#include <Bullet3OpenCL/BroadphaseCollision/b3GpuSapBroadphase.h>
#include <Bullet3OpenCL/RigidBody/b3GpuNarrowPhase.h>
#include <Bullet3OpenCL/RigidBody/b3GpuRigidBodyPipeline.h>
#include <cmath>
#include <memory>
#include <stdexcept>

namespace
{
// A few neighbours of each body, and room for the floor.
b3Config config_for(int bodies)
{
    b3Config config;
    config.m_maxConvexBodies = config.m_maxConvexShapes = bodies + 8;
    config.m_maxBroadphasePairs = config.m_maxContactCapacity = 32 * config.m_maxConvexBodies;
    config.m_compoundPairCapacity = config.m_maxTriConvexPairCapacity = 1024;
    return config;
}

class World
{
  public:
    World(const Device &device, int bodies);
    void step() { m_pipeline->stepSimulation(1.0f / 60); }
    void keep_counts(Results &results) const;
    void keep_contacts(Results &results) const;
    void keep_states(Results &results) const;

  private:
    int box(float half_width, float half_height) const;
    void pile();

    const Device &m_device;
    int m_bodies;
    b3Config m_config;
    std::unique_ptr<b3GpuNarrowPhase> m_narrow;
    std::unique_ptr<b3GpuBroadphaseInterface> m_broad;
    std::unique_ptr<b3DynamicBvhBroadphase> m_tree;
    std::unique_ptr<b3GpuRigidBodyPipeline> m_pipeline;
};

World::World(const Device &device, int bodies)
    : m_device(device), m_bodies(bodies), m_config(config_for(bodies)),
      m_narrow(new b3GpuNarrowPhase(device.context, device.id, device.queue, m_config)),
      m_broad(new b3GpuSapBroadphase(device.context, device.id, device.queue)),
      m_tree(new b3DynamicBvhBroadphase(m_config.m_maxConvexBodies)),
      m_pipeline(new b3GpuRigidBodyPipeline(device.context, device.id, device.queue, m_narrow.get(), m_broad.get(),
                                            m_tree.get(), m_config))
{
    const float gravity[3] = { 0, -10, 0 };
    m_pipeline->setGravity(gravity);
    pile();
    // In this order: instances read the bodies that are there.
    m_narrow->writeAllBodiesToGpu();
    m_broad->writeAabbsToGpu();
    m_pipeline->writeAllInstancesToGpu();
}

int World::box(float half_width, float half_height) const
{
    float corners[8][4] = {};
    for (int k = 0; k < 8; ++k)
        for (int axis = 0; axis < 3; ++axis) corners[k][axis] = k >> axis & 1 ? 1.0f : -1.0f;
    const float scaling[4] = { half_width, half_height, half_width, 1 };
    return m_narrow->registerConvexHullShape(corners[0], sizeof corners[0], 8, scaling);
}

// Unit boxes in layers with gaps; each second layer is off by a third of a box, so that the pile falls over. It is
// longer than wide: Bullet sorts along the axis of the largest variance, and rounding would choose between equal ones.
void World::pile()
{
    const int width = static_cast<int>(std::ceil(std::cbrt(m_bodies / 2.0)));
    const int length = 2 * width;
    const float upright[4] = { 0, 0, 0, 1 };
    const float below[4] = { 0, -1, 0, 0 };
    const int floor = box(100.0f + static_cast<float>(length), 1);
    const int unit = box(0.5f, 0.5f);
    m_pipeline->registerPhysicsInstance(0, below, upright, floor, 0, false);
    for (int k = 0; k < m_bodies; ++k) {
        const int layer = k / (length * width);
        const float shift = layer % 2 ? 0.3f : 0;
        const float place[4] = { static_cast<float>(k % length) * 1.1f + shift, static_cast<float>(layer) * 1.1f + 0.6f,
                                 static_cast<float>(k / length % width) * 1.1f + shift, 0 };
        m_pipeline->registerPhysicsInstance(1, place, upright, unit, k + 1, false);
    }
}

void World::keep_counts(Results &results) const
{
    results.add(SUMMED_NAMES[0], Kind::integers, static_cast<uint64_t>(m_broad->getNumOverlap()));
    results.add(SUMMED_NAMES[1], Kind::integers, static_cast<uint64_t>(m_narrow->getNumContactsGpu()));
}

void World::keep_contacts(Results &results) const
{
    const int count = m_narrow->getNumContactsGpu();
    std::vector<b3Contact4> contacts(static_cast<size_t>(count));
    if (count == 0) results.failure("no contacts at the end");
    if (count &&
        clEnqueueReadBuffer(m_device.queue, m_narrow->getContactsGpu(), CL_TRUE, 0,
                            contacts.size() * sizeof(b3Contact4), contacts.data(), 0, nullptr, nullptr) != CL_SUCCESS)
        throw std::runtime_error("the contacts cannot be read");
    std::vector<uint32_t> bodies;
    std::vector<float> points;
    for (const b3Contact4 &contact : contacts) {
        for (const int number : { contact.getBodyA(), contact.getBodyB(), contact.getNPoints() })
            bodies.push_back(static_cast<uint32_t>(number));
        for (int k = 0; k < contact.getNPoints(); ++k)
            points.insert(points.end(), contact.m_worldPosB[k].m_floats, contact.m_worldPosB[k].m_floats + 4);
    }
    results.integers("contacts: bodies and numbers of points", bodies);
    results.floats("contacts: points and depths", points);
}

void World::keep_states(Results &results) const
{
    m_narrow->readbackAllBodiesToCpu();
    const b3RigidBodyData *bodies = m_narrow->getBodiesCpu();
    std::vector<float> states, heights;
    bool fell = false;
    for (int k = 1; k <= m_bodies; ++k) {
        fell = fell || !(bodies[k].m_pos.y > 0); // bad numbers too
        heights.push_back(bodies[k].m_pos.y);
        for (const b3Vector3 &part : { bodies[k].m_pos, bodies[k].m_linVel, bodies[k].m_angVel })
            states.insert(states.end(), part.m_floats, part.m_floats + 3);
        states.insert(states.end(), bodies[k].m_quat.m_floats, bodies[k].m_quat.m_floats + 4);
    }
    if (fell) results.failure("a body fell through the floor");
    results.floats("states of bodies", states);
    results.floats(SUMMED_NAMES[2], heights);
}
} // namespace

void run_world(const Device &device, int bodies, int steps, Results &results)
{
    World world(device, bodies);
    for (int k = 0; k < steps; ++k) {
        const auto start = now();
        world.step();
        clFinish(device.queue);
        results.add("step", Kind::times, now() - start);
        world.keep_counts(results);
    }
    world.keep_contacts(results);
    world.keep_states(results);
}
