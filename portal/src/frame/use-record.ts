// The record that a dialog changes, read when it opens: rows of a list have no tag for If-Match.

import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notify } from '../../../ui/Notices.tsx'
import { reasonsOf } from '../rehearse.ts'

/** The record; undefined until it is read. If it cannot be read, that is told and the dialog closes. */
export function useRecord<T, Key extends readonly unknown[]>(
  query: UseQueryOptions<T, Error, T, Key>,
  onClose: () => void,
): T | undefined {
  const { data, error } = useQuery(query)
  useEffect(() => {
    if (error === null) return
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
    onClose()
  }, [error, onClose])
  return data
}
