/** The keys of a table in its order, as `z.enum` takes them. */
export function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): [Key, ...Key[]] {
  return Object.keys(table) as [Key, ...Key[]];
}
