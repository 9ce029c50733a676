// A field for files.

import { Field, type FieldProps } from './Field.tsx'
import styles from './field.module.css'

/** A field for a file or, with `isMany`, for several. */
export const FileField = ({
  accept,
  isMany = false,
  name,
  onChange,
  ...field
}: Omit<FieldProps, 'children'> & {
  /** the types that are offered, as a browser knows them */
  accept?: string
  isMany?: boolean
  /** its whole name, if the label that stands beside the browser's button is shorter */
  name?: string
  onChange: (files: readonly File[]) => void
}) => (
  <Field {...field}>
    {control => (
      <input
        {...control}
        {...(name === undefined ? {} : { 'aria-label': name })}
        type="file"
        className={styles.file}
        accept={accept}
        multiple={isMany}
        onChange={({ target }) => onChange([...(target.files ?? [])])}
      />
    )}
  </Field>
)
