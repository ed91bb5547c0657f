# Run by CPack when it has made packages: its installations are no installations, and the target uninstall must not take
# their lists for such.
file(GLOB manifests "${CPACK_TOPLEVEL_BUILD}/install_manifest*.txt")
if(manifests)
    file(REMOVE ${manifests})
endif()
