-- Whether a run raised storage, as its rule said when it did: a rule may be changed afterwards, on the same
-- day too. Null: a run of an earlier version, or of one that has not come so far.
alter table billing_run add column raised_storage boolean;
