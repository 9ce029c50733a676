# Installs the printer bridge as a task that Windows starts at boot and restarts when it ends. Run this once in
# PowerShell as an administrator, with the folder that contains bridge.json:
#   .\install-windows-service.ps1 -Folder C:\waybill-bridge
param([Parameter(Mandatory = $true)][string]$Folder)

$command = (Get-Command waybill-bridge.cmd -ErrorAction Stop).Source
$action = New-ScheduledTaskAction -Execute $command -Argument '--config bridge.json' -WorkingDirectory $Folder
$trigger = New-ScheduledTaskTrigger -AtStartup
$settings = New-ScheduledTaskSettingsSet -RestartCount 999 -RestartInterval (New-TimeSpan -Minutes 1) `
  -ExecutionTimeLimit (New-TimeSpan -Days 0) -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
Register-ScheduledTask -TaskName 'Waybill printer bridge' -Action $action -Trigger $trigger `
  -Settings $settings -User 'NT AUTHORITY\LOCAL SERVICE' -RunLevel Limited
Start-ScheduledTask -TaskName 'Waybill printer bridge'
