/** Maximum number of concurrent requests of one test. */
const most = 8;

/** Calls `act` with each item, for several items at once. Returns the results in the order of the items. */
export async function runConcurrently<Item, Result>(
  items: readonly Item[],
  act: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await act(items[at] as Item, at);
  };
  await Promise.all(Array.from({length: most}, work));
  return results;
}
