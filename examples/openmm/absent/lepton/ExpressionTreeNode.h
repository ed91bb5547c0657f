// ExpressionTreeNode.h: see CustomFunction.h.
namespace Lepton
{
class ExpressionTreeNode;
}
