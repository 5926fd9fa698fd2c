-- Requests each path of the file CODES in turn.
local requests, i = {}, 0

function init(args)
  for path in io.lines(os.getenv("CODES")) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
end

function request()
  i = i % #requests + 1
  return requests[i]
end
