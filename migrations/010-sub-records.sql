-- What belongs to a consignment. Spec 2.4.

-- The day, in the wall clock of the warehouse, on which the record or its events last changed.
alter table consignment_tracking alter column last_updated_date type date;
