// CustomFunction.h: what OpenMM's headers take from Lepton. Debian's packages leave Lepton's headers out. Nothing here
// calls it, so a declaration of the base class is enough to compile OpenMM's.
#ifndef LEPTON_CUSTOM_FUNCTION_H
#define LEPTON_CUSTOM_FUNCTION_H

namespace Lepton
{
class CustomFunction
{
  public:
    virtual ~CustomFunction();
};
} // namespace Lepton

#endif
