// A value that follows another once that has stayed the same for a moment, so that each key is not a request.

import { useEffect, useState } from 'react'

/** The value as it was when it last stayed the same for this long. */
export function useSettled<T>(value: T, ms = 250): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
