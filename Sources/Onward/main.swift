import CommandLine

await OnwardCommand.main()
