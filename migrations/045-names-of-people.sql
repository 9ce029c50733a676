-- Proofs of charges that people entered name them as they were called then.
create trigger keep_former_record after update of full_name on app_user
  for each row execute function keep_former_record('full_name');
