// What reads again the parts of a screen that could not be read. It stands apart from the regions that offer it,
// because the first load has none.

import { createContext } from 'react'

/** Reads again what could not be read; the app says how. */
export const ReadFailedAgain = createContext<(() => void) | undefined>(undefined)
