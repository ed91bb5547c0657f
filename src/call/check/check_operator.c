/* check_operator.c: checks an operator: its role, its text, its types and the elements that it sees. */
#include "call/check/check.h"

/* An operator of the library, and the element types that it allows. */
typedef struct built_in_op {
    const mcl_op *op;
    const char *name;
    mcl__types types;
} built_in_op;

static const built_in_op built_in_ops[] = {
    { MCL_ADD, "MCL_ADD", MCL__BUILT_INS },
    { MCL_MULTIPLY, "MCL_MULTIPLY", MCL__BUILT_INS },
    { MCL_MIN, "MCL_MIN", MCL__BUILT_INS },
    { MCL_MAX, "MCL_MAX", MCL__BUILT_INS },
    { MCL_AND, "MCL_AND", MCL__INTEGERS },
    { MCL_OR, "MCL_OR", MCL__INTEGERS },
    { MCL_XOR, "MCL_XOR", MCL__INTEGERS },
    { MCL_MAX_INDEX, "MCL_MAX_INDEX", MCL__BUILT_INS },
    { MCL_MIN_INDEX, "MCL_MIN_INDEX", MCL__BUILT_INS },
    { MCL_MEAN, "MCL_MEAN", MCL__BUILT_INS },
    { MCL_LESS, "MCL_LESS", MCL__BUILT_INS },
    { MCL_GREATER, "MCL_GREATER", MCL__BUILT_INS },
    { MCL_EQUAL, "MCL_EQUAL", MCL__BUILT_INS },
};

/* Parts of error sentences, by role. name is for an operator that has this role; expected is for a call that needs this
 * role. */
static const struct {
    const char *name, *expected;
} roles[] = {
    [MCL_ROLE_FOLD] = { "a fold", "a fold such as MCL_ADD" },
    [MCL_ROLE_ORDER] = { "an order", "an order such as MCL_LESS" },
    [MCL_ROLE_EQUALITY] = { "an equality", "an equality such as MCL_EQUAL" },
    [MCL_ROLE_TEST] = { "a test", "a test in x, such as \"x > 0\"" },
    [MCL_ROLE_FUNCTION] = { "a function", "a function of p and q" },
    [MCL_ROLE_INDEX] = { "an index", "an index in x, such as \"x / 10\"" },
    [MCL_ROLE_MEAN] = { "a mean, which mcl_group_by alone takes", "MCL_MEAN" },
};

static const built_in_op *find_built_in(const mcl_op *op)
{
    for (size_t k = 0; k < sizeof built_in_ops / sizeof built_in_ops[0]; ++k)
        if (mcl__same_op(op, built_in_ops[k].op)) return &built_in_ops[k];
    return NULL;
}

/* Returns the name of the operator's first member that only folds may have, or NULL. */
static const char *fold_part(const mcl_op *op)
{
    return op->identity      ? "an identity"
           : op->value       ? "an accumulator type"
           : op->extract     ? "an extract"
           : op->combine     ? "a combine"
           : op->result      ? "a result type"
           : op->commutative ? "the mark commutative"
                             : NULL;
}

static const char *role_name(mcl_role role)
{
    return mcl__is_role(role) || role == MCL_ROLE_MEAN ? roles[role].name : "an operator of a role that there is not";
}

/* Checks that an operator has the role that the call needs. An operator without a role passes, and so does a fold that
 * is used as a plain function. */
static mcl_status check_role(const char *parameter, mcl_role use, const mcl_op *op, const built_in_op *known)
{
    const mcl_role role = op->role;
    if (role == 0 || role == use || (use == MCL_ROLE_FUNCTION && role == MCL_ROLE_FOLD)) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s is %s%s%s; expected %s", parameter, known ? known->name : "",
                     known ? ", " : "", role_name(role), roles[use].expected);
}

mcl_status mcl__check_operator(const char *parameter, const mcl_context *context, mcl_role use, const mcl_op *op,
                               const mcl_type *element)
{
    if (!op) return mcl__fail(MCL_ERROR_ARGUMENT, "%s is NULL; expected %s", parameter, roles[use].expected);
    if (!op->expression || !op->expression[0])
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s has expression %s; expected a C expression, %s", parameter,
                         op->expression ? "\"\"" : "NULL", roles[use].expected);
    const built_in_op *const known = find_built_in(op);
    MCL__TRY(check_role(parameter, use, op, known));
    if (op->value && !mcl__same_type(op->value, MCL_INDEXED)) MCL__TRY(mcl__check_type(parameter, context, op->value));
    if (op->result) MCL__TRY(mcl__check_type(parameter, context, op->result));
    MCL__TRY(mcl__check_op_bindings(parameter, context, op));
    if (known && element && !mcl__is_of(element, known->types))
        return mcl__fail(MCL_ERROR_TYPE, "%s is %s and the elements are %s; expected elements that are %s", parameter,
                         known->name, element->name, known->types == MCL__INTEGERS ? "integers" : "numbers");
    if (use == MCL_ROLE_FOLD || use == MCL_ROLE_FUNCTION || !fold_part(op)) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s has %s, as folds have; expected %s", parameter, fold_part(op),
                     roles[use].expected);
}
