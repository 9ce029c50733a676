// Grid Columns: what each column of the file means.

import { Region, SmallTable } from '../../../../ui/Region.tsx'
import type { ColumnMapping, FileStart } from '../../order-columns.ts'
import { fieldNames, type OrderField, uploadWords as words } from '../../words/upload.ts'
import styles from './new.module.css'

export const UploadColumns = ({
  start: { heads, examples },
  mapping,
  onChange,
}: {
  start: FileStart
  mapping: ColumnMapping
  onChange: (mapping: ColumnMapping) => void
}) => (
  <Region heading={words.columns}>
    <SmallTable
      isGrid
      label={words.columns}
      heads={[{ text: words.column }, { text: words.example }, { text: words.field }]}
      rows={heads.map((head, i) => ({
        id: `${i} ${head}`,
        cells: [
          head || words.noHead,
          examples[i] ?? '',
          head !== '' && (
            <select
              key={head}
              className={styles.cell}
              aria-label={words.fieldOf(head)}
              value={mapping[head] ?? ''}
              onChange={({ target }) =>
                onChange({ ...mapping, [head]: target.value === '' ? null : (target.value as OrderField) })
              }
            >
              <option value="">{words.leftOut}</option>
              {(Object.keys(fieldNames) as OrderField[]).map(field => (
                <option key={field} value={field}>
                  {fieldNames[field]}
                </option>
              ))}
            </select>
          ),
        ],
      }))}
    />
  </Region>
)
