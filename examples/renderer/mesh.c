/* mesh.c: reads meshes by assimp's C interface. */
#include "mesh.h"

#include "shapes.h"

#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdio.h>

enum { REST, LAMP };
static const float glass_index = 1.5f;

static vec colour_of(const struct aiMaterial *of, const char *key, vec otherwise)
{
    struct aiColor4D colour;
    if (aiGetMaterialColor(of, key, 0, 0, &colour) != aiReturn_SUCCESS) return otherwise;
    return vec_make(colour.r, colour.g, colour.b);
}

static float number_of(const struct aiMaterial *of, const char *key, float otherwise)
{
    ai_real number;
    return aiGetMaterialFloatArray(of, key, 0, 0, &number, NULL) == aiReturn_SUCCESS ? (float)number : otherwise;
}

static int add_material(scene *to, const struct aiMaterial *of)
{
    const vec emission = colour_of(of, "$clr.emissive", vec_make(0, 0, 0));
    const vec colour = colour_of(of, "$clr.diffuse", vec_make(0.7f, 0.7f, 0.7f));
    if (vec_most(emission) > 0) return scene_material(to, colour, EMISSIVE, emission, 0);
    if (number_of(of, "$mat.opacity", 1) < 0.5f) return scene_material(to, colour, GLASS, emission, glass_index);
    if (number_of(of, "$mat.metallicFactor", 0) > 0.5f)
        return scene_material(to, colour, METAL, emission, number_of(of, "$mat.roughnessFactor", 0.1f));
    return scene_material(to, colour, DIFFUSE, emission, 0);
}

static vec vec_of(struct aiVector3D v)
{
    return vec_make(v.x, v.y, v.z);
}

/* first: the number of the file's first material in the scene. Faces are triangles, points or lines. */
static int add_mesh(scene *to, const struct aiMesh *of, int first, box *bounds)
{
    for (unsigned face = 0; face < of->mNumFaces; ++face) {
        vec corners[3], normals[3];
        if (of->mFaces[face].mNumIndices != 3) continue;
        for (int k = 0; k < 3; ++k) {
            const unsigned index = of->mFaces[face].mIndices[k];
            corners[k] = vec_of(of->mVertices[index]);
            normals[k] = of->mNormals ? vec_of(of->mNormals[index]) : vec_make(0, 0, 0);
            *bounds = box_join(*bounds, box_make(corners[k], corners[k]));
        }
        if (scene_add(to, corners, of->mNormals ? normals : NULL, first + (int)of->mMaterialIndex, REST)) return -1;
    }
    return 0;
}

/* A floor under the mesh, a lamp over it, a sky, and a camera that sees all of it. */
static int add_surroundings(scene *to, box b)
{
    const vec none = { 0, 0, 0 }, middle = vec_scale(vec_add(b.low, b.high), 0.5f), size = vec_subtract(b.high, b.low);
    const float reach = 0.5f * sqrtf(vec_dot(size, size)), wide = 12 * reach, high = b.low.y - 0.001f * reach;
    const int floor = scene_material(to, vec_make(0.55f, 0.53f, 0.5f), DIFFUSE, none, 0);
    const int lamp = scene_material(to, none, EMISSIVE, vec_make(36, 28, 20), 0);
    const vec corners[4] = { { middle.x - wide, high, middle.z - wide },
                             { middle.x - wide, high, middle.z + wide },
                             { middle.x + wide, high, middle.z + wide },
                             { middle.x + wide, high, middle.z - wide } };
    to->motions[LAMP] = (motion){ .reach = vec_make(reach, 0, 0), .speed = 1 };
    to->set.zenith = vec_make(0.25f, 0.36f, 0.6f);
    to->set.horizon = vec_make(0.75f, 0.72f, 0.7f);
    to->set.glow = vec_make(1, 0.8f, 0.6f);
    to->set.glow_direction = vec_unit(vec_make(-1, 0.6f, 0.4f));
    to->set.exposure = 0.2f;
    scene_camera(to, vec_add(middle, vec_make(0.9f * reach, 0.8f * reach, 2.5f * reach)), middle, 0.42f);
    return floor < 0 || lamp < 0 || add_quad(to, corners, (look){ floor, REST }) ||
           add_sphere(to, vec_add(middle, vec_make(-1.2f * reach, 2 * reach, reach)), 0.3f * reach, 8,
                      (look){ lamp, LAMP });
}

static int add_all(scene *to, const struct aiScene *from, const char *file)
{
    box bounds = box_of_nothing();
    const int first = to->material_count;
    for (unsigned k = 0; k < from->mNumMaterials; ++k)
        if (add_material(to, from->mMaterials[k]) < 0) return -1;
    for (unsigned k = 0; k < from->mNumMeshes; ++k)
        if (add_mesh(to, from->mMeshes[k], first, &bounds)) return -1;
    if (to->count > 0) return add_surroundings(to, bounds);
    fprintf(stderr, "renderer: %s has no triangles\n", file);
    return -1;
}

int mesh_load(scene *made, const char *file)
{
    *made = (scene){ 0 };
    const struct aiScene *const read = aiImportFile(file, aiProcess_Triangulate | aiProcess_GenNormals |
                                                              aiProcess_PreTransformVertices | aiProcess_SortByPType);
    if (!read) {
        fprintf(stderr, "renderer: %s: %s\n", file, aiGetErrorString());
        return -1;
    }
    const int failed = add_all(made, read, file) || scene_finish(made);
    aiReleaseImport(read);
    return failed ? -1 : 0;
}
