// x
export const introduction = (_: unknown) => 'x'
