/** What was to be tried and cannot be had here, and why: nothing is said of the product by it. */
export const notInstalled: readonly { name: string; why: string }[] = [];
