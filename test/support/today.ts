// The day on which a test runs, in the warehouses of the tests.

const auckland = 'Pacific/Auckland'

const todayIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())

export const todayInAuckland = () => todayIn(auckland)

/** Runs a test with the day that it is in a time zone, and once more if that day ends meanwhile. */
export async function withinOneDay(run: (today: string) => Promise<void>, zone = auckland): Promise<void> {
  const today = todayIn(zone)
  try {
    await run(today)
  } catch (error) {
    if (todayIn(zone) === today) throw error
    await run(todayIn(zone))
  }
}
