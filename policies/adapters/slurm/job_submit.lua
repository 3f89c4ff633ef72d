-- SPDX-License-Identifier: MIT
-- Place next to slurm.conf, which must set JobSubmitPlugins=lua. Holds every job at submission and marks it for
-- fauxfleet-slurm, which decides when and where it starts. No other user may release jobs: that would bypass the policy.
--
-- An administrator takes a job from the policy with `scontrol uhold JOB`, and returns it with `scontrol hold JOB`.

-- Users that may release jobs: root, and the user that runs fauxfleet-slurm.
local releasers = {[0] = true}

function slurm_job_submit(job_desc, part_list, submit_uid)
    if job_desc.priority == 0 then
        slurm.log_user("--hold is not possible here: every job is held until it is its turn; use --begin or --dependency")
        return slurm.ERROR
    end
    job_desc.priority = 0
    job_desc.admin_comment = "fauxfleet new"
    return slurm.SUCCESS
end

function slurm_job_modify(job_desc, job_rec, part_list, modify_uid)
    local priority = job_desc.priority
    if priority ~= nil and priority ~= slurm.NO_VAL and priority > 0 and not releasers[modify_uid] then
        slurm.log_user("jobs are released by the policy when it is their turn")
        return slurm.ERROR
    end
    return slurm.SUCCESS
end

return slurm.SUCCESS
