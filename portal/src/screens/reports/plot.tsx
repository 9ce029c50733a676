// The plot of a report whose rows have a date and a figure: the sum of the figure by day, or by month.

import { useMemo } from 'react'
import { SelectField } from '../../../../ui/Field.tsx'
import { amount, quantity } from '../../../../ui/numbers.ts'
import { StackedBars } from '../../../../ui/plots/StackedBars.tsx'
import { Region } from '../../../../ui/Region.tsx'
import { day, monthOf } from '../../../../ui/time.ts'
import { type ReportRow, sumsByDate } from '../../report-rows.ts'
import type { Report } from '../../reports.ts'
import { useChangeSearch, useSearch } from '../../router.tsx'
import { reportWords as words } from '../../words/reports.ts'
import styles from './reports.module.css'

const monthLength = 7

export function ReportPlot({ report, rows }: { report: Report; rows: readonly ReportRow[] }) {
  const search = useSearch()
  const change = useChangeSearch()
  const dates = report.columns.filter(
    ({ kind, isHidden }) => !isHidden && (kind === 'date' || kind === 'time'),
  )
  const figures = report.columns.filter(({ isSummed }) => isSummed)
  const date = dates.find(({ name }) => name === search.PlotDate) ?? dates[0]
  const figure = figures.find(({ name }) => name === search.PlotFigure) ?? figures[0]
  const sums = useMemo(
    () => (date === undefined || figure === undefined ? [] : sumsByDate(rows, date.name, figure.name)),
    [rows, date, figure],
  )
  const isChosen = search.PlotDate !== undefined || search.PlotFigure !== undefined
  if (date === undefined || figure === undefined || (sums.length === 0 && !isChosen)) return null
  const choices = (columns: Report['columns']) =>
    columns.map(({ name, heading }) => ({ value: name, text: words.heading(heading) }))
  return (
    <Region heading={words.plot} summary={words.plotOf(figure.heading, words.heading(date.heading))}>
      <div className={styles.choices}>
        <SelectField
          label={words.figure}
          value={figure.name}
          onChange={value => change({ PlotFigure: value }, { replace: true })}
          options={choices(figures)}
        />
        <SelectField
          label={words.date}
          value={date.name}
          onChange={value => change({ PlotDate: value }, { replace: true })}
          options={choices(dates)}
        />
      </div>
      <StackedBars
        label={words.plotOf(figure.heading, words.heading(date.heading))}
        nameHead={words.heading(date.heading)}
        kinds={[figure.heading]}
        bars={sums.map(({ date: at, value }) => ({
          ...{ id: at, text: at.length === monthLength ? monthOf(`${at}-01`) : day(at) },
          values: [value],
        }))}
        valueInWords={figure.kind === 'money' ? amount : quantity}
      />
    </Region>
  )
}
