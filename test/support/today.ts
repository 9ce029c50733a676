// The day on which a test runs, in the warehouses of the tests.

export const todayInAuckland = () =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(new Date())

/** Runs a test with the day that it is in Auckland, and once more if that day ends meanwhile. */
export async function withinOneDay(run: (today: string) => Promise<void>): Promise<void> {
  const today = todayInAuckland()
  try {
    await run(today)
  } catch (error) {
    if (todayInAuckland() === today) throw error
    await run(todayInAuckland())
  }
}
