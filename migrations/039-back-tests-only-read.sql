-- Makes back-tests read no more than they need, and write nothing to the tables that they read.
-- Spec 2.8, 2.9.

-- A closing no longer counts once its consignment is reopened. All other closings count, so a query finds
-- them without reading the consignments.
create table undone_closing (
  organisation_id uuid not null,
  consignment_id uuid not null,
  closing_number integer not null,
  constraint undone_closing_pkey primary key (organisation_id, consignment_id, closing_number),
  constraint undone_closing_input_fkey foreign key (organisation_id, consignment_id, closing_number)
    references charge_input
);

create trigger undone_closing_is_frozen before update or delete on undone_closing
  for each statement execute function refuse_to_change_frozen();

create function undo_closing() returns trigger language plpgsql as $$
begin
  insert into undone_closing (organisation_id, consignment_id, closing_number)
  select organisation_id, consignment_id, closing_number from charge_input
  where organisation_id = new.organisation_id and consignment_id = new.id
  order by closing_number desc limit 1
  on conflict do nothing;
  return null;
end $$;
create trigger closing_is_undone after update of status on consignment
  for each row when (old.status = 6 and new.status <> 6) execute function undo_closing();

-- Records the consignments that were reopened before this migration. The trigger records all later ones: no
-- consignment can be reopened before the migration commits.
insert into undone_closing (organisation_id, consignment_id, closing_number)
select i.organisation_id, i.consignment_id, i.closing_number
from (
  select organisation_id, consignment_id, closing_number,
    lead(closing_number) over (partition by organisation_id, consignment_id order by closing_number) as later
  from charge_input
) i
join consignment c on c.organisation_id = i.organisation_id and c.id = i.consignment_id
where c.status <> 6 or i.later is not null;

-- The foreign key is not needed, because the up to 10,000 consignments of a test are never deleted. Checking
-- it locked and so wrote each consignment row, which added 80 MB to the write-ahead log after a checkpoint,
-- for a report that is deleted after 30 days.
alter table rate_card_back_test_difference
  drop constraint rate_card_back_test_difference_consignment_fkey,
  -- The value is only displayed, and json is stored in a third of the time that jsonb takes.
  alter column rates type json;
