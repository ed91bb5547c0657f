// ParsedExpression.h: see CustomFunction.h.
namespace Lepton
{
class ParsedExpression;
}
