/** Operations of the API that no screen has yet, in the order of the document. The list only gets shorter. */
export const notYet: readonly string[] = ['getBlocker'];
